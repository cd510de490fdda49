import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isUnverifiedKind } from '@/lib/policy/client-source'
import { showSignedOutOnTheWay } from './leave-knowingly'
import { renderError } from './render-error'

/**
 * The engine has two self-submitting pages of its own that no setting replaces. Both stand for something simpler here, so
 * every page of an OAuth answer is the product's, with its headers (html-page.ts). Runs once the engine's answer is complete.
 */
export function replaceEnginePages(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 200 || !ctx.response.is('html') || ctx.response.get('content-security-policy')) return
  if (ctx._matchedRouteName === 'end_session') finishLogoutOfNobody(ctx)
  else if (ctx._matchedRouteName === 'resume') sayThatThePersonChanged(ctx)
}

type LogoutState = { state?: string; clientId?: string; postLogoutRedirectUri?: string }

/**
 * Nobody is signed in, so there is nobody to ask: the browser goes where it would go after the question, unless that is an
 * address which anybody could have registered.
 */
function finishLogoutOfNobody(ctx: KoaContextWithOIDC): void {
  const { state, clientId, postLogoutRedirectUri } = (ctx.oidc.session as { state?: LogoutState }).state ?? {}
  const to = new URL(postLogoutRedirectUri ?? ctx.oidc.urlFor('end_session_success'))
  if (!postLogoutRedirectUri && clientId) to.searchParams.set('client_id', clientId)
  if (postLogoutRedirectUri && state != null) to.searchParams.set('state', state)
  if (postLogoutRedirectUri && clientId && isUnverifiedKind(clientId)) {
    showSignedOutOnTheWay(ctx, to.href)
  } else ctx.redirect(to.href)
}

/** Another person signed in between an interaction's answer and the way back; the app's request was not theirs. */
function sayThatThePersonChanged(ctx: KoaContextWithOIDC): void {
  const description = 'another person has signed in meanwhile'
  ctx.status = 400
  renderError(
    ctx,
    { error: 'invalid_request', error_description: description },
    new errors.SessionNotFound(description),
  )
}
