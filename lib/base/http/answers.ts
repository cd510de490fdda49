import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isMissingRow, toOutageError } from '@/lib/base/db/database-errors'
import { AppError, isAppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { type Say, sayIn } from '@/lib/base/language/say'
import { requestId } from '@/lib/base/log/request-scope'
import { refusals } from '@/lib/base/telemetry/metrics'
import { encodeBeyondAscii } from './addresses'
import { fontFace, fontPolicy } from './page-font'
import { languageFrom } from './visitor'

/**
 * Sends a complete JSON response.
 * @param headers headers to send in addition to Content-Type, Content-Length, and the headers already set on
 * the response; a `content-type` in `headers` replaces `application/json`
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  res.end(text)
}

/**
 * Returns a JSON response with `Cache-Control: no-store`.
 * @param headers additional headers; a `cache-control` in `headers` replaces `no-store`
 */
export const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

/**
 * Returns a 303 redirect, which makes the browser send a GET request after a POST request. A path is not made
 * absolute, because behind a proxy, the request's host can differ from the public host.
 * @param location a path or URL; its characters beyond visible ASCII are percent-encoded
 * @param cookies Set-Cookie values
 */
export function seeOther(location: string, cookies: string[] = []): Response {
  const headers = new Headers({ location: encodeBeyondAscii(location), 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML, in elements and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string)

type Message = {
  /** The translator for the language of the title and text. */
  say: Say
  status: number
  title: string
  text: string
  link: { href: string; label: string }
  headers?: Record<string, string>
}

const style = `${fontFace}:root{color-scheme:light dark}body{margin:0;min-height:100dvh;display:grid;place-content:center;padding:24px;
box-sizing:border-box;font:16px/24px Inter,system-ui,-apple-system,sans-serif;background:#f7f8fa;color:#171a21}main{max-width:372px;padding:24px;
border:1px solid #dce0e7;border-radius:8px;background:#fff}h1{margin:0 0 8px;font-size:18px}p{margin:0 0 16px;color:#565e6c;
overflow-wrap:anywhere}.reference{margin:16px 0 0;font-size:13px;line-height:20px}a{color:inherit}@media(prefers-color-scheme:dark){body{background:#0d0f13;color:#e9ecf1}
main{background:#14171d;border-color:#2a2f39}p{color:#9ca4b3}}`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Returns a complete page with a message, for responses with a status that the pages in app/ cannot return.
 * If the request has an ID, the page shows it for support. The page loads only the font and runs no scripts.
 */
export function messagePage({ say, status, title, text, link, headers }: Message): Response {
  const id = requestId()
  const reference =
    id === undefined ? '' : `<p class="reference">${escapeHtml(say('page.reference', { id }))}</p>`
  const html = `<!doctype html><html lang="${say.language}" dir="${say.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>${reference}</main></body></html>`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': say.language,
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; ${fontPolicy}; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
      ...headers,
    },
  })
}

/**
 * Returns an error page with status 503 and a Retry-After header, in the user's language, for a form that
 * cannot be processed because the instance is temporarily unavailable.
 * @param request the request with the form
 * @param error the error whose message and retry delay are used
 * @param back the path of the page with the form
 */
export function unavailablePage(
  request: { headers: Headers },
  error: AppError,
  back: string,
  headers: Record<string, string> = {},
): Response {
  const say = sayIn(languageFrom(request.headers))
  return messagePage({
    say,
    status: 503,
    title: say('page.away'),
    text: say.known(error.message),
    link: { href: back, label: say('page.form') },
    headers: { 'retry-after': String(error.details.retryAfter ?? outageRetrySeconds), ...headers },
  })
}

/**
 * Returns the error to show to the user: an AppError unchanged, NOT_FOUND for a resource that was deleted
 * during the change, or SERVICE_UNAVAILABLE for a database outage. Counts the returned error in the metrics.
 * @throws every other error unchanged, because it is a defect
 */
export function toUserError(error: unknown): AppError {
  const refusal = refusalIn(error)
  refusals.add({ edge: 'web', code: refusal.code })
  return refusal
}

function refusalIn(error: unknown): AppError {
  if (isAppError(error)) return error
  if (isMissingRow(error)) {
    return new AppError('NOT_FOUND', 'This was deleted while you were changing it. Reload the page.')
  }
  const outage = toOutageError(error, 'form')
  if (outage) return outage
  throw error
}
