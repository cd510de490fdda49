import { isAppError } from '@/lib/errors/app-error'
import type { Visitor } from '@/lib/people/visitor'
import { visitorFrom } from './current-session'
import { flashCookie } from './form-flash'
import { messagePage } from './message-page'
import { readForm } from './read-form'
import { safeNext } from './safe-next'
import { refuseForeignOrigin } from './same-origin'

export type PlainForm = { request: Request; visitor: Visitor; input: Record<string, string>; next: string }

/** What never travels back to the form. */
const secrets = new Set(['password', 'token', 'code', 'response'])

/**
 * The way of a form at the door, which works without a script: the Origin is checked, the work is done, and what it
 * refused goes back to the form's page with everything typed but secrets; too many tries are a 429 with Retry-After.
 * @param page where the form stands
 * @param kept fields that the page needs in its address again
 * @param work answers; gets the text fields and `next`, a path of this origin
 */
export async function answerPlainForm(
  request: Request,
  page: string,
  work: (form: PlainForm) => Promise<Response>,
  kept: string[] = [],
): Promise<Response> {
  const foreign = refuseForeignOrigin(request)
  if (foreign) return foreign
  const { next: wanted, ...input } = await readForm(request)
  const next = safeNext(wanted)
  try {
    return await work({ request, visitor: visitorFrom(request.headers), input, next })
  } catch (error) {
    if (!isAppError(error)) throw error
    const query = new URLSearchParams({ error: error.code.toLowerCase() })
    if (next !== '/') query.set('next', next)
    for (const name of kept) if (input[name]) query.set(name, input[name])
    const back = `${page}?${query}`
    const flash = flashCookie(page, {
      message: error.message,
      fields: error.details.fields ?? {},
      values: Object.fromEntries(Object.entries(input).filter(([name]) => !secrets.has(name))),
    })
    const headers = new Headers({ 'cache-control': 'no-store', 'set-cookie': flash })
    if (error.code !== 'RATE_LIMITED') {
      headers.set('location', back)
      return new Response(null, { status: 303, headers })
    }
    return messagePage({
      status: 429,
      title: 'Too many attempts',
      text: error.message,
      link: { href: back, label: 'Back to the form' },
      headers: { 'retry-after': String(error.details.retryAfter ?? 60), 'set-cookie': flash },
    })
  }
}
