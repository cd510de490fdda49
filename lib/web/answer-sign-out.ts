import { endOwnSession } from '@/lib/sessions/end-session'
import { visitorFrom } from './current-session'
import { safeNext, signInPath } from './safe-next'
import { refuseForeignOrigin } from './same-origin'
import { seeOther } from './see-other'
import { sessionFromCookies } from './session'
import { clearedSessionCookie } from './session-cookie'

/**
 * POST /logout: ends the session's row, so that the cookie is worthless wherever it may have been copied, and the OAuth
 * engine's session with it, which asks for this one on each use. The optional field `next` is where to sign in again.
 */
export async function answerSignOut(request: Request): Promise<Response> {
  const foreign = refuseForeignOrigin(request)
  if (foreign) return foreign
  const cookies = request.headers.get('cookie') ?? undefined
  const session = await sessionFromCookies(cookies, visitorFrom(request.headers))
  if (session) await endOwnSession(session.actor)
  const form = await request.formData().catch(() => new FormData())
  return seeOther(signInPath(safeNext(form.get('next'))), [clearedSessionCookie()])
}
