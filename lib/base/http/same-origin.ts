import { config } from '@/lib/base/config/env'
import { sayIn } from '@/lib/base/language/say'
import { languageFrom } from './language-of-request'
import { messagePage } from './message-page'

type HeaderSource = { get(name: string): string | null | undefined }

/**
 * Whether a form was sent from a page of this product. Every browser of today sends Origin with a POST; for the few
 * that leave it out, Sec-Fetch-Site or the Referer decide, and where there is nothing at all the answer is no.
 */
export function isSameOrigin(headers: HeaderSource, origin: string = config().BASE_URL): boolean {
  const sent = headers.get('origin')
  if (sent) return sent === origin
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const referer = headers.get('referer')
  return referer != null && URL.canParse(referer) && new URL(referer).origin === origin
}

/**
 * The check at the head of every route handler that takes a form.
 * @returns undefined when the form came from here, else the 403 page to answer with
 */
export function refuseForeignOrigin(request: Request): Response | undefined {
  if (isSameOrigin(request.headers)) return undefined
  const { BASE_URL: address, SERVICE_NAME: service } = config()
  const say = sayIn(languageFrom(request.headers))
  return messagePage({
    say,
    status: 403,
    title: say('form.foreign'),
    text: say('form.foreignWhy', { address }),
    link: { href: address, label: say('form.start', { service }) },
  })
}
