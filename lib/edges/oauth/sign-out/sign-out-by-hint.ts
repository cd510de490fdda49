import type { IncomingMessage, ServerResponse } from 'node:http'
import inject, { type DispatchFunc, type InjectOptions } from 'light-my-request'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { isUnverifiedKind } from '@/lib/policy/client-source'
import { redirectTrust } from '@/lib/policy/production'
import { validateOwnIdToken } from '../overrides/id-token-hint'
import { providerOf } from '../overrides/provider-of'
import { enterEngine } from '../protocol/enter-engine'
import { routes } from '../protocol/routes'

/**
 * Requires an `id_token_hint` to be one of ours. The engine looks up its audience before its signature, and an audience can
 * be the address of a document: a forged one would make this server fetch whatever it names.
 * @throws errors.InvalidRequest
 */
export async function requireOwnHint(provider: Provider, hint: string): Promise<void> {
  try {
    await validateOwnIdToken(provider, hint)
  } catch (cause) {
    throw Object.assign(new errors.InvalidRequest('could not validate id_token_hint'), { cause })
  }
}

/**
 * Returns whether a logout request needs no question (OpenID Connect RP-Initiated Logout section 2): it contains an id_token that
 * the app received in this session, names an address to return to, and comes from an app of a workspace that the user can use.
 */
export async function isOwnSignOut({
  oidc: { client, session, params, entities },
}: KoaContextWithOIDC): Promise<boolean> {
  const hint = entities.IdTokenHint?.payload
  if (!hint || !client || !session || isUnverifiedKind(client.clientId)) return false
  const here = session.authorizations?.[client.clientId]
  const own =
    here !== undefined &&
    params?.post_logout_redirect_uri !== undefined &&
    hint.sub === session.accountId &&
    Number(hint.iat) >= Number(session.loginTs) &&
    // Told to apps with back-channel logout alone.
    (hint.sid === undefined || hint.sid === here.sid)
  return own && (await redirectTrust(client.clientId, session.accountId)) !== 'never'
}

/** Answers the question as the person's "Sign out" would, and gives the browser what the engine says to that. */
export async function confirmSignOut(ctx: KoaContextWithOIDC, xsrf: string): Promise<void> {
  const callback = providerOf(ctx).callback()
  const url = `${routes.end_session}/confirm`
  const confirm = (req: IncomingMessage, res: ServerResponse) => enterEngine({ callback }, url, req, res)
  const { 'content-length': _, ...headers } = ctx.headers
  const answer = await inject(confirm as DispatchFunc, {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } as InjectOptions['headers'],
    payload: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
  })
  ctx.status = answer.statusCode
  for (const name of ['content-type', 'set-cookie', 'location'] as const) {
    const value = answer.headers[name]
    if (value !== undefined) ctx.set(name, value as string)
  }
  ctx.body = answer.payload
}
