import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { isOutage } from '@/lib/base/db/database-errors'
import type { PlainMessageKey, Say } from '@/lib/base/language/say'
import { requestId } from '@/lib/base/log/request-scope'
import { redirectTrust } from '@/lib/policy/app-status'
import { printable, unavailable } from '../protocol/routes'
import { showSignedOutWithLink } from './confirm-redirect'
import { showPage, translatorForRequest } from './html-page'

/**
 * Replaces two self-submitting pages of oidc-provider that no setting can change, so that every OAuth page
 * has our design and headers (html-page.ts). Runs after oidc-provider has completed the response.
 */
export async function replaceEnginePages(ctx: KoaContextWithOIDC): Promise<void> {
  if (ctx.status !== 200 || !ctx.response.is('html') || ctx.response.get('content-security-policy')) return
  if (ctx._matchedRouteName === 'end_session') await finishAnonymousLogout(ctx)
  else if (ctx._matchedRouteName === 'resume') showUserChanged(ctx)
}

type LogoutState = { state?: string; clientId?: string; postLogoutRedirectUri?: string }

/**
 * Finishes a logout without a session. Redirects to the app only if the URL is trusted, and otherwise shows a
 * page with a link to the app. Without a redirect URI, redirects to the success page.
 */
async function finishAnonymousLogout(ctx: KoaContextWithOIDC): Promise<void> {
  const { state, clientId, postLogoutRedirectUri } = (ctx.oidc.session as { state?: LogoutState }).state ?? {}
  const to = new URL(postLogoutRedirectUri ?? ctx.oidc.urlFor('end_session_success'))
  if (!postLogoutRedirectUri && clientId) to.searchParams.set('client_id', clientId)
  if (postLogoutRedirectUri && state != null) to.searchParams.set('state', state)
  if (postLogoutRedirectUri && clientId && (await redirectTrust(clientId, undefined)) !== 'always') {
    showSignedOutWithLink(ctx, to.href)
  } else ctx.redirect(to.href)
}

/**
 * Shows the error page for a request during which another user signed in, after the answer to an interaction
 * and before the return to oidc-provider.
 */
function showUserChanged(ctx: KoaContextWithOIDC): void {
  const description = 'another user has signed in: start again from the app'
  ctx.status = 400
  renderError(
    ctx,
    { error: 'invalid_request', error_description: description },
    new errors.SessionNotFound(description),
  )
}

/**
 * The explanations that users see, by error code. For any other error code, the page shows a general
 * explanation.
 */
const explanations: Record<string, PlainMessageKey> = {
  invalid_redirect_uri: 'oauth.redirectUri',
  invalid_client: 'oauth.unknownApp',
  invalid_request: 'oauth.malformed',
  server_error: 'oauth.ourSide',
  temporarily_unavailable: 'oauth.away',
}

/** Errors that occur again if the user starts again, because only the app's developer can fix the cause. */
const permanent = new Set(['invalid_redirect_uri', 'invalid_client'])

/** Errors that the server caused, not the app. */
const ours = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Answers an authorization or logout request whose error cannot be sent to the app. Depending on the Accept
 * header, sends a page for browsers or JSON for programs. The status has already been set. The description
 * contains an unregistered redirect URI, so that the developer can compare it with the registered redirect
 * URIs, which are never shown.
 */
export function renderError(ctx: KoaContextWithOIDC, error: ErrorOut, cause: Error): void {
  const lost = cause.name === 'SessionNotFound'
  const out = outOf(ctx, error, cause)
  if (ctx.accepts('html', 'json') !== 'html') {
    ctx.body = out
    return
  }
  const say = translatorForRequest(ctx)
  showPage(ctx, {
    say,
    title: titleOf(ctx, say, out.error, lost),
    text: [...textOf(ctx, say, out.error, lost)],
    details: [
      { label: say('oauth.error'), value: out.error },
      ...(out.error_description ? [{ label: say('oauth.description'), value: out.error_description }] : []),
      ...referenceRow(say),
    ],
    more: lost ? undefined : { text: say('oauth.more'), href: `/docs/errors#oauth` },
  })
}

/**
 * Returns the title. Names the app if the request identifies it, even if the redirect URI is not registered.
 * The titles for a lost request and for an error that the server caused never name the app.
 */
function titleOf(ctx: KoaContextWithOIDC, say: Say, error: string, lost: boolean): string {
  if (lost) return say('lost.title')
  if (ours.has(error)) return say('page.away')
  const app = ctx.oidc?.client?.clientName
  if (isSignOut(ctx)) return app ? say('signOut.refusedApp', { app }) : say('signOut.refused')
  return app ? say('oauth.refused', { app }) : say('oauth.deadLink')
}

function textOf(ctx: KoaContextWithOIDC, say: Say, error: string, lost: boolean): string[] {
  const what = lost ? say('lost.why') : say(explanations[error] ?? 'oauth.otherwise')
  if (ours.has(error)) return [what]
  if (!lost && isSignOut(ctx)) return [say('signOut.refusedWhy', { service: config().serviceName })]
  if (!lost && permanent.has(error)) return [what, say('oauth.contact')]
  const app = ctx.oidc?.client?.clientName
  return [what, app ? say('lost.backTo', { app }) : say('lost.back')]
}

/**
 * Returns whether the request was a sign-out (OpenID Connect RP-Initiated Logout). If so, the error page must
 * not describe a failed sign-in.
 */
const isSignOut = ({ path }: KoaContextWithOIDC): boolean => path.startsWith('/session/end')

/**
 * Returns one row with the request ID, which the user can give to support; an empty list if there is no
 * request ID.
 */
function referenceRow(say: Say): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: say('oauth.reference'), value: id }]
}

function outOf(ctx: KoaContextWithOIDC, error: ErrorOut, cause: Error): ErrorOut {
  if (isOutage(cause)) return unavailable
  return error.error === 'invalid_redirect_uri' ? namingWhatWasSent(ctx, error) : error
}

function namingWhatWasSent({ oidc, query }: KoaContextWithOIDC, out: ErrorOut): ErrorOut {
  const sent = oidc.params?.redirect_uri ?? query.redirect_uri
  if (typeof sent !== 'string') return out
  const shown = printable(sent).slice(0, 500)
  const error_description = `${shown} is not registered for this client: a redirect_uri must be registered exactly as it is sent`
  return { ...out, error_description }
}
