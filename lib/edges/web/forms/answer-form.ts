import type { AppError } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { answerWith, messagePage, refusalOf, unavailablePage } from '@/lib/base/http/answers'
import { type FormFields, isSameOrigin, takeForm } from '@/lib/base/http/body'
import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import { safeNext } from '@/lib/base/http/safe-next'
import { languageFrom, type Visitor, visitorFrom } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import type { RefusedForm } from './form-state'

/**
 * Matches the names of fields that contain credentials: passwords, codes, tokens, secrets, a passkey's response. A new form
 * is covered by its field names; answer-form.test.ts reads every form of the product for one that this misses.
 */
const secretField = /pass(word|phrase|code)|secret|token|credential|recovery|otp|^(code|current|response)$/i

/** Whether a field's value must never travel back to its form. */
export const isSecretField = (name: string): boolean => secretField.test(name)

/** What a refused form is shown with again: everything that had been typed, but for secrets. */
export const withoutSecrets = (input: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !isSecretField(name)))

/**
 * What a form is shown with after it was refused, whichever way it was sent: what was wrong, at its fields or, where it
 * belongs to none of them, over the whole; and everything that had been typed but secrets.
 */
export function refuseForm({ details, message }: AppError, input: FormFields): RefusedForm {
  const fields = details.fields ?? {}
  const values = withoutSecrets(input)
  return Object.keys(fields).length > 0 ? { fields, values } : { fields, values, message }
}

const name = () => secureCookieName('lk-form')
const seconds = 120
/** Browsers drop a cookie of more than 4096 bytes, and what was wrong with it; a value too long is forgotten instead. */
const mostBytes = 3600

/**
 * The Set-Cookie value that hands what a refused form says over the redirect to its page at `path`, for a short while: an
 * e-mail address does not belong in a URL, and a password belongs nowhere.
 */
export function flashCookie(path: string, flash: RefusedForm): string {
  let json = encoded({ ...flash, values: {} })
  const values: Record<string, string> = {}
  for (const [field, value] of Object.entries(flash.values)) {
    values[field] = value.slice(0, 254)
    const longer = encoded({ ...flash, values })
    if (longer.length > mostBytes) delete values[field]
    else json = longer
  }
  return setCookie(name(), json, path, seconds)
}

const encoded = (flash: RefusedForm) => encodeURIComponent(JSON.stringify(flash))

/** The Set-Cookie value that takes it back. */
export const clearedFlashCookie = (path: string): string => setCookie(name(), '', path, 0)

/**
 * Reads the flash of a form page.
 * @param cookies the request's cookies (`await cookies()` in a page)
 * @param shown whether the page was reached from a refused form (`?error` is in its address); otherwise the flash is old
 */
export function readFlash(
  cookies: { get(name: string): { value: string } | undefined },
  shown: boolean,
): RefusedForm | undefined {
  const raw = shown ? cookies.get(name())?.value : undefined
  if (!raw) return undefined
  try {
    const flash = JSON.parse(raw.startsWith('%') ? decodeURIComponent(raw) : raw) as Partial<RefusedForm>
    const { fields = {}, values = {}, message } = flash
    return message === undefined ? { fields, values } : { fields, values, message: String(message) }
  } catch {
    return undefined
  }
}

export type SubmittedForm = {
  request: Request
  visitor: Visitor
  input: Record<string, string>
  next: string
}

/**
 * The steps of a form of an auth page, which works without scripts: the Origin is checked, the work is done, and what it
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

/** Answers a script of our own pages with JSON; what the work refuses is `{ error }` under its own status. */
export async function answerJson(
  request: Request,
  work: (visitor: Visitor) => Promise<unknown>,
): Promise<Response> {
  if (!isSameOrigin(request.headers))
    return answerWith(403, { error: 'This form must be sent from its own page.' })
  try {
    return answerWith(200, await work(visitorFrom(request.headers)))
  } catch (thrown) {
    const error = refusalOf(thrown)
    return answerWith(errorCodes[error.code].http, { error: error.message })
  }
}
