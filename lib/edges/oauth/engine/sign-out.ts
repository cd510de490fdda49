import type { IncomingMessage, ServerResponse } from 'node:http'
import inject, { type DispatchFunc, type InjectOptions } from 'light-my-request'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { clearedSessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { redirectTrust } from '@/lib/policy/app-status'
import { isUnverifiedKind } from '@/lib/policy/scopes'
import { destinationName } from '../pages/confirm-redirect'
import { renderError } from '../pages/engine-pages'
import { showPage, translatorForRequest } from '../pages/html-page'
import { callEngine, routes } from '../protocol/routes'
import { providerOf, signOutSecret, validateOwnIdToken } from './internals'

/**
 * Asks the user for confirmation before an app's logout request ends the user's session (OpenID Connect
 * RP-Initiated Logout section 2). If the request has a redirect URI, the page shows the host or app scheme to
 * which the user will return. If `isOwnSignOut` returns true, no confirmation is needed, so this function
 * shows no page. It stores the secret of the form for `endBrowserSession` instead.
 */
export async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  if (await isOwnSignOut(ctx)) {
    // endBrowserSession submits the confirmation with this secret after oidc-provider has stored the request.
    ctx.state.signOutWith = signOutSecret(ctx)
    return
  }
  const say = translatorForRequest(ctx)
  const app = ctx.oidc.client?.clientName ?? say('oauth.anApp')
  const host = destinationName(ctx.oidc.params?.post_logout_redirect_uri)
  showPage(ctx, {
    say,
    title: say('signOut.title'),
    text: [
      say('signOut.why', { app, service: config().serviceName }),
      ...(host ? [say('signOut.next', { host })] : []),
    ],
    form: `${form}<button class="primary" form="op.logoutForm" type="submit" name="logout" value="yes">${escapeHtml(say('signOut.submit'))}</button>
<button form="op.logoutForm" type="submit">${escapeHtml(say('signOut.stay'))}</button>`,
  })
}

/**
 * Shows a page after a logout request without a redirect URI. A user who chose to stay signed in still has a
 * session, and the page says so.
 */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
  const say = translatorForRequest(ctx)
  const app = ctx.oidc.client?.clientName
  if (await sessionOf(ctx, ctx.req.headers.cookie)) {
    return showPage(ctx, { say, title: say('signOut.kept'), text: [say('signOut.doneClose')] })
  }
  showPage(ctx, {
    say,
    title: say('signOut.done'),
    text: [app ? say('signOut.doneApp', { app }) : say('signOut.doneClose')],
  })
}

const sessionOf = (ctx: KoaContextWithOIDC, cookies: string | undefined) =>
  signInFromCookies(cookies, { ip: ctx.ip, userAgent: ctx.get('user-agent') })

/**
 * Requires that this server signed the `id_token_hint`. oidc-provider looks up the audience before it
 * verifies the signature, and an audience can be the URL of a metadata document. Without this check, a forged
 * hint could make this server fetch any URL.
 * @throws errors.InvalidRequest if the hint is not a valid ID token of this server
 */
async function requireOwnHint(provider: Provider, hint: string): Promise<void> {
  try {
    await validateOwnIdToken(provider, hint)
  } catch (cause) {
    throw Object.assign(new errors.InvalidRequest('could not validate id_token_hint'), { cause })
  }
}

/**
 * Returns whether a logout request needs no confirmation (OpenID Connect RP-Initiated Logout section 2). No
 * confirmation is needed if the request contains a redirect URI and an ID token that the app received in this
 * session. The app must also belong to a workspace. If the app is in development, the user must be a member
 * of this workspace.
 */
async function isOwnSignOut({
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
    // Accept an ID token without a `sid`, because not every app receives a `sid` (`issueLogoutToken`).
    (hint.sid === undefined || hint.sid === here.sid)
  return own && (await redirectTrust(client.clientId, session.accountId)) !== 'never'
}

/** Submits the confirmation form for the user and sends the response of oidc-provider. */
async function confirmSignOut(ctx: KoaContextWithOIDC, xsrf: string): Promise<void> {
  const callback = providerOf(ctx).callback()
  const url = `${routes.end_session}/confirm`
  const confirm = (req: IncomingMessage, res: ServerResponse) => callEngine({ callback }, url, req, res)
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

/**
 * Verifies the `id_token_hint` of a logout request. If the hint is invalid, answers 400 with an error page.
 * If the user does not need to confirm, submits the confirmation for the user. After a sign-out, also ends
 * the browser session and deletes its cookie. Otherwise, the browser session would restore the session of
 * oidc-provider (engine/sessions).
 */
export async function endBrowserSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const cookies = ctx.req.headers.cookie
  const { id_token_hint: hint } = ctx.query
  try {
    if (typeof hint === 'string' && hint !== '') await requireOwnHint(providerOf(ctx), hint)
  } catch (error) {
    if (!(error instanceof errors.InvalidRequest)) throw error
    ctx.status = 400
    return renderError(ctx, { error: error.error, error_description: error.error_description }, error)
  }
  await next()
  if (typeof ctx.state.signOutWith === 'string') return confirmSignOut(ctx, ctx.state.signOutWith)
  const loggedOut =
    ctx._matchedRouteName === 'end_session_confirm' && ctx.status < 400 && ctx.oidc.params?.logout
  if (!loggedOut) return
  const session = await sessionOf(ctx, cookies)
  if (session) await endOwnSession(session.actor)
  ctx.append('set-cookie', clearedSessionCookie())
}
