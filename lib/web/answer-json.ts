import { isAppError } from '@/lib/errors/app-error'
import { errorCodes } from '@/lib/errors/codes'
import type { Visitor } from '@/lib/people/visitor'
import { visitorFrom } from './current-session'
import { isSameOrigin } from './same-origin'

/** Answers a script of our own pages with JSON; what the work refuses is `{ error }` under its own status. */
export async function answerJson(
  request: Request,
  work: (visitor: Visitor) => Promise<unknown>,
): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  if (!isSameOrigin(request.headers))
    return Response.json({ error: 'Not from here.' }, { status: 403, headers })
  try {
    return Response.json(await work(visitorFrom(request.headers)), { headers })
  } catch (error) {
    if (!isAppError(error)) throw error
    return Response.json({ error: error.message }, { status: errorCodes[error.code].http, headers })
  }
}
