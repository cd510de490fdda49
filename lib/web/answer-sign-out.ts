import { endOwnSession } from '@/lib/sessions/end-session'
import { visitorFrom } from './current-session'
import { safeNext, signInPath } from './safe-next'
import { seeOther } from './see-other'
import { sessionFromCookies } from './session'
import { clearedSessionCookie } from './session-cookie'
import { takeForm } from './take-form'

/**
 * POST /logout: ends the session's row, so that the cookie is worthless wherever it may have been copied, and the OAuth
 * engine's session with it, which asks for this one on each use. The optional field `next` is where to sign in again.
 */
export async function answerSignOut(request: Request): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  const cookies = request.headers.get('cookie') ?? undefined
  const session = await sessionFromCookies(cookies, visitorFrom(request.headers))
  if (session) await endOwnSession(session.actor)
  return seeOther(signInPath(safeNext(form.get('next'))), [clearedSessionCookie()])
}
