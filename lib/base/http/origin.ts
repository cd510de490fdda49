import type { IncomingMessage, ServerResponse } from 'node:http'

/** The API response headers that pages from other origins can read. */
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
 * Returns the headers that let pages from other origins call an API and read its responses (Fetch standard,
 * section 3.3). The headers never allow credentials such as cookies, which browsers send automatically. The
 * API does not need them, because it accepts only tokens that the page sends in a header.
 * @param origin the allowed origin: `*` for all origins, or an origin that was checked; undefined if no
 * origin is allowed
 * @param more additional headers that a page can read
 */
export const corsHeaders = (origin: string | undefined, ...more: string[]): Record<string, string> => ({
  ...(origin === '*' ? {} : { vary: 'Origin' }),
  ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
  'access-control-expose-headers': [...exposedHeaders, ...more].join(', '),
})

/**
 * Responds to a browser's preflight request. Allows only POST requests, and lets the browser cache the
 * response for a day.
 * @param cors the result of `corsHeaders`
 * @param usual the request headers to allow if the browser lists none
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

/**
 * Returns whether a user probably opened an endpoint's URL in a browser. This is assumed for GET and HEAD
 * requests that accept HTML.
 */
export const isBrowserVisit = (req: IncomingMessage): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').includes('text/html')

/** Sends a redirect to one of this instance's pages. */
export function writeRedirect(res: ServerResponse, path: string): void {
  res.writeHead(302, { location: path, vary: 'Accept', 'cache-control': 'no-store' })
  res.end()
}

/**
 * Returns whether a list of hosts includes a host.
 * @param patterns host names in lowercase; `*.example.com` matches every host below example.com, but not
 * example.com itself
 */
export const isHostAmong = (patterns: readonly string[], host: string): boolean =>
  patterns.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
