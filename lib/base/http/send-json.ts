import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/**
 * Sends a whole answer as JSON.
 * @param headers beside its type and length, and beside those set on the answer before; a more exact type takes the place of JSON's
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
