import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { sayIn } from '@/lib/base/language/say'
import { messagePage } from './answers'
import { languageFrom } from './visitor'

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
  const { BASE_URL: address, serviceName: service } = config()
  const say = sayIn(languageFrom(request.headers))
  return messagePage({
    say,
    status: 403,
    title: say('form.foreign'),
    text: say('form.foreignWhy', { address }),
    link: { href: address, label: say('form.start', { service }) },
  })
}

/** What a page may read of every API's answer beside its body. */
const told = [
  'x-trace-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'idempotent-replayed',
]

/**
 * The headers by which pages of other origins may call an API and read what it answers (Fetch standard, section 3.3). Never with
 * credentials: what counts is a token in a header, which no page can make a browser add, and nothing that a browser sends by itself.
 * @param origin whom it lets in: `*` for every page, or one that was checked; undefined where no page asks
 * @param more headers of its own that a page may read as well
 */
export const corsHeaders = (origin: string | undefined, ...more: string[]): Record<string, string> => ({
  ...(origin === '*' ? {} : { vary: 'Origin' }),
  ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
  'access-control-expose-headers': [...told, ...more].join(', '),
})

/**
 * Answers the question a browser asks before it lets a page call an API.
 * @param cors as `corsHeaders` made them
 * @param usual the headers that a request may have, where the browser names none
 */
export function sendPreflight(
  req: IncomingMessage,
  res: ServerResponse,
  cors: Record<string, string>,
  usual: string,
): void {
  res.writeHead(204, {
    ...cors,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? usual,
    'access-control-max-age': '86400',
    vary: [cors.vary, 'Access-Control-Request-Headers'].filter(Boolean).join(', '),
  })
  res.end()
}

/** Someone opened an endpoint's address in a browser, which asks for a page before anything else. */
export const isBrowserVisit = (req: IncomingMessage): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').includes('text/html')

/** Sends a browser to a page. */
export function writeRedirect(res: ServerResponse, path: string): void {
  res.writeHead(302, { location: path, vary: 'Accept', 'cache-control': 'no-store' })
  res.end()
}

/**
 * Whether a host is among those that a setting names.
 * @param patterns names in lower case; `*.example.com` stands for every host below example.com, and not for it
 */
export const isHostAmong = (patterns: readonly string[], host: string): boolean =>
  patterns.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
