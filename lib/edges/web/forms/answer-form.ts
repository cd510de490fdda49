import { messagePage, refusalOf, unavailablePage } from '@/lib/base/http/answers'
import { takeForm } from '@/lib/base/http/body'
import { safeNext } from '@/lib/base/http/safe-next'
import { languageFrom, type Visitor, visitorFrom } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { flashCookie } from './form-flash'
import { refuseForm } from './refuse-form'

export type SubmittedForm = {
  request: Request
  visitor: Visitor
  input: Record<string, string>
  next: string
}

/**
 * The way of a form at the door, which works without a script: the Origin is checked, the work is done, and what it
 * refused goes back to the form's page with everything typed but secrets; too many tries are a 429 with Retry-After,
 * and a 503 says that nothing can be taken at the moment.
 * @param page where the form stands
 * @param kept fields that the page needs in its address again
 * @param work answers; gets the text fields and `next`, a path of this origin
 */
export async function answerForm(
  request: Request,
  page: string,
  work: (form: SubmittedForm) => Promise<Response>,
  kept: string[] = [],
): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  const { next: wanted, ...input } = form
  const next = safeNext(wanted)
  try {
    return await work({ request, visitor: visitorFrom(request.headers), input, next })
  } catch (thrown) {
    const error = refusalOf(thrown)
    const query = new URLSearchParams({ error: error.code.toLowerCase() })
    if (next !== '/') query.set('next', next)
    for (const name of kept) if (input[name]) query.set(name, input[name])
    const back = `${page}?${query}`
    const flash = flashCookie(page, refuseForm(error, input))
    if (error.code === 'SERVICE_UNAVAILABLE')
      return unavailablePage(request, error, back, { 'set-cookie': flash })
    const headers = new Headers({ 'cache-control': 'no-store', 'set-cookie': flash })
    if (error.code !== 'RATE_LIMITED') {
      headers.set('location', back)
      return new Response(null, { status: 303, headers })
    }
    const say = sayIn(languageFrom(request.headers))
    return messagePage({
      say,
      status: 429,
      title: say('page.tooMany'),
      text: say.known(error.message),
      link: { href: back, label: say('page.form') },
      headers: { 'retry-after': String(error.details.retryAfter ?? 60), 'set-cookie': flash },
    })
  }
}
