import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { redirectTrust } from '@/lib/policy/production'
import { showSignedOutOnTheWay } from './leave-knowingly'
import { renderError } from './render-error'

/**
 * The engine has two self-submitting pages of its own that no setting replaces. Both stand for something simpler here, so
 * every page of an OAuth answer is the product's, with its headers (html-page.ts). Runs once the engine's answer is complete.
 */
export async function replaceEnginePages(ctx: KoaContextWithOIDC): Promise<void> {
  if (ctx.status !== 200 || !ctx.response.is('html') || ctx.response.get('content-security-policy')) return
  if (ctx._matchedRouteName === 'end_session') await finishLogoutOfNobody(ctx)
  else if (ctx._matchedRouteName === 'resume') sayThatThePersonChanged(ctx)
}

type LogoutState = { state?: string; clientId?: string; postLogoutRedirectUri?: string }

/**
 * No one is signed in, so there is no one to ask: the browser goes where it would go after the question, unless the address is not
 * trusted.
 */
async function finishLogoutOfNobody(ctx: KoaContextWithOIDC): Promise<void> {
  const { state, clientId, postLogoutRedirectUri } = (ctx.oidc.session as { state?: LogoutState }).state ?? {}
  const to = new URL(postLogoutRedirectUri ?? ctx.oidc.urlFor('end_session_success'))
  if (!postLogoutRedirectUri && clientId) to.searchParams.set('client_id', clientId)
  if (postLogoutRedirectUri && state != null) to.searchParams.set('state', state)
  if (postLogoutRedirectUri && clientId && (await redirectTrust(clientId, undefined)) !== 'always') {
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
