import type { IncomingMessage, ServerResponse } from 'node:http'

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
