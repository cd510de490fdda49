import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import type { AppError } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { answerWith, messagePage, toUserError, unavailablePage } from '@/lib/base/http/answers'
import { type FormFields, isSameOrigin, readOwnForm } from '@/lib/base/http/body'
import { safeNext } from '@/lib/base/http/safe-next'
import { languageFrom, secureCookieName, setCookie, type Visitor, visitorFrom } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { isSecretField, type RefusedForm } from './form-state'

/** Returns the values to show again in a rejected form: all values except secrets. */
export const withoutSecrets = (input: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !isSecretField(name)))

/**
 * Returns the state of a rejected form: the errors by field, or one error for the whole form, and all typed
 * values except secrets. The state is the same with and without JavaScript.
 */
export function refuseForm({ details, message }: AppError, input: FormFields): RefusedForm {
  const fields = details.fields ?? {}
  const values = withoutSecrets(input)
  return Object.keys(fields).length > 0 ? { fields, values } : { fields, values, message }
}

const name = () => secureCookieName('lk-form')
const seconds = 120
/**
 * The maximum size of the cookie's value. Browsers reject a cookie of more than 4096 bytes, and the page
 * would then show neither the values nor the error. To stay below the maximum, long values are truncated, and
 * values that do not fit are omitted.
 */
const mostBytes = 3600

/**
 * Returns the Set-Cookie value that briefly stores a rejected form's errors and values, so that they are
 * available after the redirect to the form's page at `path`. The URL does not contain the values, because
 * they can include an email address. Passwords are never stored, because a RefusedForm contains no secrets.
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

/**
 * Returns the cookie's value. It is encrypted, because another host of the same domain could set a cookie
 * with the `__Secure-` prefix, and the page would then show that host's text as an error.
 */
const encoded = (flash: RefusedForm) =>
  sealToken(JSON.stringify({ ...flash, until: databaseNow() + seconds * 1000 }), 'rejected-form')

/** Returns the Set-Cookie value that deletes the stored errors and values. */
export const clearedFlashCookie = (path: string): string => setCookie(name(), '', path, 0)

/**
 * Returns the stored errors and values for a form's page, or undefined if none are stored, or if they have
 * expired or were not stored by this instance.
 * @param cookies the cookies of the request (`await cookies()` in a page)
 * @param shown whether the URL contains `?error`; if it does not, the stored state is outdated and is not
 * returned
 */
export function readFlash(
  cookies: { get(name: string): { value: string } | undefined },
  shown: boolean,
): RefusedForm | undefined {
  const raw = shown ? cookies.get(name())?.value : undefined
  const opened = raw && openToken(raw, 'rejected-form')
  if (!opened) return undefined
  const { until, ...flash } = JSON.parse(opened) as RefusedForm & { until: number }
  return until > databaseNow() ? flash : undefined
}

export type SubmittedForm = {
  request: Request
  visitor: Visitor
  input: Record<string, string>
  next: string
}

/**
 * Handles a form that an auth page sends without JavaScript. Returns an error page if the form is from
 * another origin, too long, or incomplete (`readOwnForm`), and otherwise calls `work`. After most errors,
 * redirects to the form's page, which then shows the error and the typed values except secrets. After too
 * many attempts, returns 429 with Retry-After. During an outage, returns 503.
 * @param page the path of the form's page
 * @param kept the fields that the redirect must keep in the page's URL
 * @param work returns the response; receives the text fields and `next`, a path of this origin
 */
export async function answerForm(
  request: Request,
  page: string,
  work: (form: SubmittedForm) => Promise<Response>,
  kept: string[] = [],
): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const { next: wanted, ...input } = form
  const next = safeNext(wanted)
  try {
    return await work({ request, visitor: visitorFrom(request.headers), input, next })
  } catch (thrown) {
    const error = toUserError(thrown)
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

/**
 * Handles a request from a script on one of this instance's pages and returns JSON. Errors are returned as
 * `{ error }` with their status. Requests from other sites are rejected with status 403.
 */
export async function answerJson(
  request: Request,
  work: (visitor: Visitor) => Promise<unknown>,
): Promise<Response> {
  if (!isSameOrigin(request.headers))
    return answerWith(403, {
      error: 'This request came from another page or site. Open the form’s page and try again.',
    })
  try {
    return answerWith(200, await work(visitorFrom(request.headers)))
  } catch (thrown) {
    const error = toUserError(thrown)
    return answerWith(errorCodes[error.code].http, { error: error.message })
  }
}
