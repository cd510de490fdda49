import { seeOther } from '@/lib/base/http/answers'
import { takeForm } from '@/lib/base/http/body'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { signInFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { clearedSessionCookie } from '@/lib/features/identity/sessions/session-cookie'

/**
 * POST /logout: ends the session's row, so that the cookie is worthless wherever it may have been copied, and the OAuth
 * engine's session with it, which asks for this one on each use. The optional field `next` is where to sign in again.
 */
export async function answerSignOut(request: Request): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  const cookies = request.headers.get('cookie') ?? undefined
  const session = await signInFromCookies(cookies, visitorFrom(request.headers))
  if (session) await endOwnSession(session.actor)
  return seeOther(signInPath(safeNext(form.next)), [clearedSessionCookie()])
}
