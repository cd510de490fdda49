import { type Grant, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { authorizationDetails, requestedApis } from '@/lib/features/apps/authorizations/api-grants'
import { allowedTo, owningWorkspace, unavailableReason } from '@/lib/policy/app-status'
import { limitScopes, needsSelection } from '@/lib/policy/scopes'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import { sharesProjectOf, sharesWorkspaceOf } from '@/lib/policy/visible'
import { foreignResources } from '../protocol/routes'
import { toGrantPayload } from '../store/account'
import { grantedApi, grantedResources } from '../store/api-access'
import type { AuthorizationRow } from '../store/snapshot'
import { dropDisallowedScopes } from './configuration'

const { Check, Prompt, base } = interactionPolicy

/**
 * Returns the policy that defines when an authorization request requires user interaction. The policy keeps
 * the checks of oidc-provider (OpenID Connect Core section 3.1.2) with these changes:
 * - `select_account` is a separate prompt.
 * - Native apps and clients without a secret or key always require consent, because any program can
 *   impersonate them (RFC 8252 section 8.6). By default, oidc-provider always requires consent only for
 *   native apps.
 * - Claims requested by name need no separate consent, because each requires its scope (store/account).
 * - If no selected workspace or project remains, a request for scopes that need a selection requires consent
 *   again.
 */
export function policy() {
  const prompts = base()
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 1)
  const consent = prompts.get('consent')
  consent?.checks.remove('native_client_prompt')
  consent?.checks.remove('op_claims_missing')
  consent?.checks.add(
    new Check('always_ask', 'this kind of client requires user interaction', 'interaction_required', (ctx) =>
      answered(ctx) || !alwaysAsks(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  )
  consent?.checks.add(
    new Check('selection_missing', 'no selected workspace or project remains', 'consent_required', (ctx) =>
      answered(ctx) || !selectionMissing(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  )
  return prompts
}

/** Returns whether the user just answered the consent page in this flow. */
const answered = (ctx: KoaContextWithOIDC) => Boolean(ctx.oidc.result?.consent)

const alwaysAsks = ({ oidc: { client } }: KoaContextWithOIDC) =>
  client?.applicationType !== 'web' || client.tokenEndpointAuthMethod === 'none'

function selectionMissing(ctx: KoaContextWithOIDC): boolean {
  const scopes = ctx.oidc.requestParamScopes
  const state = authorizationState(ctx)
  if (state?.apiWithoutSelection) return true
  const asks = { workspace: needsSelection(scopes, 'workspace'), project: needsSelection(scopes, 'project') }
  if (!asks.workspace && !asks.project) return false
  return !((asks.workspace && state?.workspaceRemains) || (asks.project && state?.projectRemains))
}

type State = AuthorizationRow & {
  workspaceRemains: boolean
  projectRemains: boolean
  /** Whether the selection for a requested API is now empty. */
  apiWithoutSelection?: boolean
}

const app = { clientId: 'z.client_id', workspaceId: owningWorkspace('c') }

const findForApp = statement<State & { allowed: string[] }, [string, string]>(
  'oauth-authorization-of-app',
  `SELECT z.id, z.user_id AS "userId", z.client_id AS "clientId", z.scopes,
          COALESCE(c.allowed_scopes, '{}') AS allowed,
          ${sharesWorkspaceOf('z.workspace_ids', 'z.user_id', app)} AS "workspaceRemains",
          ${sharesProjectOf('z.project_ids', 'z.user_id', app)} AS "projectRemains"
     FROM authorizations z JOIN oauth_clients c ON c.id = z.client_id
    WHERE z.user_id = $1::uuid AND z.client_id = $2 AND ${unavailableReason('c', 'z.user_id')} IS NULL`,
)

const states = new WeakMap<object, State>()

/**
 * Returns the user's authorization of the app as the grant of an authorization request. By default,
 * oidc-provider creates one grant per browser session. Returns undefined if there is no authorization, or if
 * the user cannot use the app (`unavailableReason`). In the latter case, the consent page explains why. If
 * there is an authorization, stores its state for `authorizationState`, and limits the request to the scopes
 * that the app is allowed to request.
 */
export async function loadExistingGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { account, client, provider } = ctx.oidc
  if (!account || !client) return undefined
  const [found] = await findForApp(account.accountId, client.clientId)
  if (!found) return undefined
  // Limit the request again, because the app's allowed scopes might have been reduced while the request
  // waited for the user.
  const allowed = allowedTo(found.clientId, found.allowed)
  dropDisallowedScopes(ctx, allowed)
  const state: State = { ...found, scopes: limitScopes(found.scopes, allowed) }
  const foreign = foreignResources({ resource: Object.keys(ctx.oidc.resourceServers ?? {}) })
  states.set(ctx, state)
  if (foreign.length === 0) return new provider.Grant(toGrantPayload(state))
  const payload = toGrantPayload(state)
  state.apiWithoutSelection = await lacksSelection(ctx, state.id, foreign)
  const resources = { ...(payload.resources as object), ...(await grantedResources(state.id, foreign)) }
  return new provider.Grant({ ...payload, resources } as object)
}

/** Returns whether a requested API scope needs a selection that is now empty. */
async function lacksSelection(
  { oidc }: KoaContextWithOIDC,
  authorizationId: string,
  resources: readonly string[],
): Promise<boolean> {
  for (const { api, scopes } of await requestedApis([...oidc.requestParamScopes], resources)) {
    const access = await grantedApi(authorizationId, api)
    const names = scopes.map(({ name }) => name)
    const methods = (oidc.session?.amr ?? []).map(String)
    const details = access && (await authorizationDetails(api, access, names, hasTwoFactors(methods)))
    if (details?.length === 0) return true
  }
  return false
}

/**
 * Returns the state of the authorization, as read by `loadExistingGrant`, or undefined if there is no
 * authorization.
 */
const authorizationState = (ctx: KoaContextWithOIDC): State | undefined => states.get(ctx)
