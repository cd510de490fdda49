import { config } from '@/lib/base/config/env'
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
  return messagePage({
    status: 403,
    title: 'This form was not sent from here',
    text: `To keep other sites from acting in your name, forms are only taken from ${config().BASE_URL}. Open that address and try again.`,
    link: { href: config().BASE_URL, label: `Go to ${config().SERVICE_NAME}` },
  })
}
