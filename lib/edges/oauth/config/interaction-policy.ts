import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { needsSelection } from '@/lib/policy/scopes'
import { authorizationState } from './load-grant'

const { Check, Prompt, base } = interactionPolicy

/**
 * When the person must act. The engine's own checks stay (OpenID Connect Core section 3.1.2), with these changes:
 * - `select_account` is a prompt of its own;
 * - native clients and all without a secret or key of their own always ask, because anybody can pretend to be one
 *   (RFC 8252 section 8.6); the engine would only ask for native ones;
 * - claims asked for by name ask nothing of their own: each takes its scope (store/account);
 * - an authorization without any remaining selected workspace or project asks again where the scopes need one.
 */
export function policy() {
  const prompts = base()
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 1)
  const consent = prompts.get('consent')
  consent?.checks.remove('native_client_prompt')
  consent?.checks.remove('op_claims_missing')
  consent?.checks.add(
    new Check(
      'always_ask',
      'clients of this kind require End-User interaction',
      'interaction_required',
      (ctx) => (answered(ctx) || !alwaysAsks(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT),
    ),
  )
  consent?.checks.add(
    new Check('selection_missing', 'nothing selected remains', 'consent_required', (ctx) =>
      answered(ctx) || !selectionMissing(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  )
  return prompts
}

/** Whether the consent page was just answered in this flow. */
const answered = (ctx: KoaContextWithOIDC) => Boolean(ctx.oidc.result?.consent)

const alwaysAsks = ({ oidc: { client } }: KoaContextWithOIDC) =>
  client?.applicationType !== 'web' || client.tokenEndpointAuthMethod === 'none'

function selectionMissing(ctx: KoaContextWithOIDC): boolean {
  const scopes = ctx.oidc.requestParamScopes
  const state = authorizationState(ctx)
  const asks = { workspace: needsSelection(scopes, 'workspace'), project: needsSelection(scopes, 'project') }
  if (!asks.workspace && !asks.project) return false
  return !((asks.workspace && state?.workspaceRemains) || (asks.project && state?.projectRemains))
}
