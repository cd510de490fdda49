import { Readable } from 'node:stream'
import inject, { type DispatchFunc, type InjectOptions, type Response as Reply } from 'light-my-request'
import { config } from '@/lib/base/config/env'
import { strictTransportSecurity, transportSecurityHeader } from '@/lib/base/http/addresses'
import { readStart } from '@/lib/base/http/body'
import { peerFromHeaders } from '@/lib/base/http/client-address'
import type { NodeHandler } from './dispatch'
import { traceRequest } from './record-request'

/**
 * Converts a Node handler to Next route handlers, one per method: `export const { GET, … } = mount(handler)`.
 * The custom server (server.ts) mounts the same handlers directly.
 * @param handler handles the requests, as it does in the custom server
 */
export function mount(handler: NodeHandler) {
  const handle = (request: Request): Promise<Response> => bridge(handler, request)
  const safe = { GET: handle, HEAD: handle, OPTIONS: handle }
  return { ...safe, DELETE: handle, PATCH: handle, POST: handle, PUT: handle }
}

/**
 * Passes a request from Next to a Node handler through an in-memory socket and returns the handler's
 * response. Removes the headers that describe the connection, and adds Strict-Transport-Security if BASE_URL
 * is https. Buffers the response unless the client accepts an event stream.
 */
async function bridge(handler: NodeHandler, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  const traced: NodeHandler = (req, res) => traceRequest(req, res, () => handler(req, res))
  const streams = request.headers.get('accept')?.includes('text/event-stream') ?? false
  const reply = await inject(traced as DispatchFunc, {
    method: request.method as InjectOptions['method'],
    url: pathname + search,
    headers: { 'user-agent': '', ...headers },
    remoteAddress: peerFromHeaders(request.headers),
    payloadAsStream: streams,
    payload: request.body ? await readStart(request.body, mostBytes) : undefined,
  })
  const answered = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) {
    if (hopByHop.has(name)) continue
    // Append each value, so that several Set-Cookie headers stay separate.
    for (const each of [value].flat()) if (each !== undefined) answered.append(name, String(each))
  }
  const secured = strictTransportSecurity(config().BASE_URL)
  if (secured) answered.set(transportSecurityHeader, secured)
  const bodiless = [204, 205, 304].includes(reply.statusCode)
  return new Response(
    bodiless ? null : streams ? streamOf(reply, request.signal) : new Uint8Array(reply.rawPayload),
    {
      status: reply.statusCode,
      headers: answered,
    },
  )
}

/**
 * Returns the response's body as a stream. If the reader cancels or the request is aborted, the response is
 * destroyed, as it is on a socket.
 * @param gone the request's signal
 */
function streamOf(reply: Reply, gone: AbortSignal): ReadableStream<Uint8Array> {
  const stream = reply.stream()
  const { res } = reply.raw
  const end = () => res.destroy()
  // Ignore errors: they occur after the reader has canceled, when no one can receive them.
  stream.on('error', () => undefined)
  stream.once('close', end)
  gone.addEventListener('abort', end)
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}

/**
 * The number of bytes after which a body is not read further. It exceeds every handler's limit, so a handler
 * still receives more than it allows and rejects the body.
 */
const mostBytes = 512 * 1024

/**
 * Response headers that describe the connection (RFC 9110 section 7.6.1). They are removed, because the
 * in-memory socket is not the client's connection.
 */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding'])
