import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '@/lib/base/http/answers'
import { BodyTooLong, readBody } from '@/lib/base/http/body'

/** More than any request that a browser sends in an address can hold. */
const mostBytes = 16 * 1024

/**
 * Answers a form post to an endpoint that people's browsers visit by sending the browser to the same address with the
 * form as its query. OpenID Connect Core section 3.1.2.1 wants POST at the authorization endpoint; but a form of another
 * site brings no SameSite cookies, so nobody would be signed in, and the redirect that follows does bring them.
 * @param path where the GET goes
 */
export async function redirectPostToGet(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const body = await readBody(req, mostBytes).catch((error: Error) => error)
  if (body instanceof BodyTooLong) return refuse(res, 413, `the form must not exceed ${mostBytes} bytes`)
  if (body instanceof Error) return refuse(res, 400, 'the request ended early')
  if (!/^application\/x-www-form-urlencoded(;|$)/i.test(req.headers['content-type'] ?? '')) {
    return refuse(res, 400, 'only application/x-www-form-urlencoded is understood here')
  }
  // Parsed and written anew, so that nothing but a query can reach the Location header.
  const form = new URLSearchParams(body.toString('utf8'))
  res.writeHead(303, { location: `${path}?${form}`, 'cache-control': 'no-store' }).end()
}

function refuse(res: ServerResponse, status: number, description: string): void {
  const error = { error: 'invalid_request', error_description: description }
  sendJson(res, status, error, { connection: 'close' })
}
