import type { KoaContextWithOIDC } from 'oidc-provider'
import { endOwnSession } from '@/lib/sessions/end-session'
import { sessionFromCookies } from '@/lib/web/session'
import { clearedSessionCookie } from '@/lib/web/session-cookie'
import { routes } from './config/routes'

/**
 * When a person confirms an app's logout request, the browser session ends together with the engine's: the one is the
 * source of the other (models/session-source), and would only bring it back.
 */
export function endBrowserSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  return ctx.path.toLowerCase().startsWith(routes.end_session) ? endWithLogout(ctx, next) : next()
}

async function endWithLogout(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const cookies = ctx.req.headers.cookie
  await next()
  const loggedOut =
    ctx._matchedRouteName === 'end_session_confirm' && ctx.status < 400 && ctx.oidc.params?.logout
  if (!loggedOut) return
  const session = await sessionFromCookies(cookies, { ip: ctx.ip, userAgent: ctx.get('user-agent') })
  if (session) await endOwnSession(session.actor)
  ctx.append('set-cookie', clearedSessionCookie())
}
