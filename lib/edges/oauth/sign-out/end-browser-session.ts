import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { signInFromCookies } from '@/lib/features/identity/browser-session/session'
import { clearedSessionCookie } from '@/lib/features/identity/browser-session/session-cookie'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { providerOf } from '../overrides/provider-of'
import { renderError } from '../pages/render-error'
import { confirmSignOut, requireOwnHint } from './sign-out-by-hint'

/**
 * Stands around an app's logout request: its hint must be ours, and where that is of this very session nobody is asked.
 * When the answer is to sign out, the browser session ends together with the engine's: the one is the source of the other
 * (overrides/session-source), and would only bring it back.
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
  const session = await signInFromCookies(cookies, { ip: ctx.ip, userAgent: ctx.get('user-agent') })
  if (session) await endOwnSession(session.actor)
  ctx.append('set-cookie', clearedSessionCookie())
}
