import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  cookieValue,
  renewedSessionCookie,
  sessionCookieName,
} from '@/lib/features/identity/browser-session/session-cookie'

/**
 * Gives a browser that opens a page its session's cookie anew where a former SECRET_KEY had sealed it. Next adds to the
 * cookies that are set here, so what the page itself says of the session, signing out say, comes last and counts.
 */
export function renewSession(req: IncomingMessage, res: ServerResponse): void {
  if (req.method !== 'GET' || !req.headers.accept?.includes('text/html')) return
  const cookie = renewedSessionCookie(cookieValue(req.headers.cookie, sessionCookieName()))
  if (cookie) res.appendHeader('set-cookie', cookie)
}
