import { errorCodes } from '@/lib/base/errors/codes'
import { refusalOf } from '@/lib/base/http/refusal-of'
import { isSameOrigin } from '@/lib/base/http/same-origin'
import type { Visitor } from '@/lib/base/http/visitor'
import { visitorFrom } from '@/lib/base/http/visitor'

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
  } catch (thrown) {
    const error = refusalOf(thrown)
    return Response.json({ error: error.message }, { status: errorCodes[error.code].http, headers })
  }
}
