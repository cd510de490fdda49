import { errorCodes } from '@/lib/base/errors/codes'
import { answerWith, refusalOf } from '@/lib/base/http/answers'
import { isSameOrigin } from '@/lib/base/http/origin'
import { type Visitor, visitorFrom } from '@/lib/base/http/visitor'

/** Answers a script of our own pages with JSON; what the work refuses is `{ error }` under its own status. */
export async function answerJson(
  request: Request,
  work: (visitor: Visitor) => Promise<unknown>,
): Promise<Response> {
  if (!isSameOrigin(request.headers)) return answerWith(403, { error: 'Not from here.' })
  try {
    return answerWith(200, await work(visitorFrom(request.headers)))
  } catch (thrown) {
    const error = refusalOf(thrown)
    return answerWith(errorCodes[error.code].http, { error: error.message })
  }
}
