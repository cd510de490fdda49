import type { ServerResponse } from 'node:http'

/**
 * Sends an answer as the engine sends one: not to be kept by caches, and open to every page, since no cookie counts.
 * @param exposed the headers that a page may read
 */
export function sendJson(res: ServerResponse, body: object, exposed: string): void {
  const text = JSON.stringify(body)
  res.writeHead(200, {
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  res.end(text)
}
