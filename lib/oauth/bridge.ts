import type { IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { addressFromHeaders } from '@/lib/web/client-address'

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/**
 * Runs a Node request handler on a web Request, for the hosts where Next's route handlers are the only way in. The body
 * is passed on as the client sent it, each Set-Cookie stays one header, and the client's address goes along.
 * @param handler the same handler that server.ts mounts directly
 */
export async function bridge(handler: NodeHandler, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const reply = await inject(
    (req, res) => {
      Promise.resolve(handler(req as IncomingMessage, res as ServerResponse)).catch((error) =>
        (res as ServerResponse).destroy(error),
      )
    },
    {
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      payload: request.body ? Buffer.from(await request.arrayBuffer()) : undefined,
      remoteAddress: addressFromHeaders(request.headers),
    },
  )
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) {
    if (['connection', 'transfer-encoding', 'content-length'].includes(name)) continue
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one))
  }
  const empty = request.method === 'HEAD' || [204, 304].includes(reply.statusCode)
  return new Response(empty ? null : new Uint8Array(reply.rawPayload), { status: reply.statusCode, headers })
}
