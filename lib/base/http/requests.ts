import type { IncomingMessage, Server } from 'node:http'
import { newRequestId } from '@/lib/base/log/request-scope'
import { isTrustedProxy } from './client-address'

/** The header that has the name of a request, in every answer; a proxy that is believed may send one along. */
export const requestIdHeader = 'x-request-id'

/** What may stand in a log and on a page as it is. */
const safe = /^[\w-]{8,64}$/

/** The name of a request: the one that a trusted proxy gave it, or a new one. See decision 121. */
export function nameOf({ headers, socket }: IncomingMessage): string {
  const sent = headers[requestIdHeader]
  const isTaken = typeof sent === 'string' && safe.test(sent) && isTrustedProxy(socket.remoteAddress)
  return isTaken ? sent : newRequestId()
}

/** When each connection that has not brought a request yet was opened, by `performance.now()`. */
const opened = new WeakMap<object, number>()

/** Notes from now on when connections are opened. */
export const noteConnections = (server: Server): void => {
  server.on('connection', (socket) => opened.set(socket, performance.now()))
}

/**
 * When the connection of a request was opened, which was for this request.
 * @returns undefined for a later request of a connection, and where the server is not ours
 */
export function openedFor(req: { socket?: object | null }): number | undefined {
  const at = req.socket ? opened.get(req.socket) : undefined
  if (at !== undefined && req.socket) opened.delete(req.socket)
  return at
}
