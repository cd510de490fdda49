import type { IncomingMessage, ServerResponse } from 'node:http'

/** The headers of an API response that pages of other origins can read. */
const exposedHeaders = [
  'x-trace-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'idempotent-replayed',
]

/**
 * Returns the headers that let pages of other origins call an API and read its responses (Fetch standard, section 3.3). Never
 * with credentials: the API takes tokens from a header, and nothing that a browser sends by itself.
 * @param origin the allowed origin: `*` for all of them, or one that was checked; undefined if the request has none
 * @param more other headers that a page can read
 */
export const corsHeaders = (origin: string | undefined, ...more: string[]): Record<string, string> => ({
  ...(origin === '*' ? {} : { vary: 'Origin' }),
  ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
  'access-control-expose-headers': [...exposedHeaders, ...more].join(', '),
})

/**
 * Answers the preflight request of a browser.
 * @param cors the result of `corsHeaders`
 * @param usual the allowed request headers if the browser names none
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

/** Returns whether a browser requests an endpoint as a page. */
export const isBrowserVisit = (req: IncomingMessage): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').includes('text/html')

/** Redirects a browser to a page. */
export function writeRedirect(res: ServerResponse, path: string): void {
  res.writeHead(302, { location: path, vary: 'Accept', 'cache-control': 'no-store' })
  res.end()
}

/**
 * Returns whether a list of hosts includes a host.
 * @param patterns names in lower case; `*.example.com` matches every host below example.com, but not example.com
 */
export const isHostAmong = (patterns: readonly string[], host: string): boolean =>
  patterns.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
