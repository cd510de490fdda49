import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { noteConnections } from '@/lib/base/http/requests'
import { newRequestId } from '@/lib/base/log/request-scope'
import type { NodeHandler } from './dispatch'
import { noteTraffic } from './drain'
import { answerByHand, nameUnreadable } from './refuse-unreadable'

/** Load balancers commonly drop idle connections after 60 s; whoever closes first must not be the server. See decision 070. */
const KEEP_ALIVE_MS = 65_000

/** So long nothing may pass over a connection with a request under way: neither side keeps the other for ever. */
const SILENCE_MS = 150_000

/**
 * A server with sane limits that is not listening yet. No request makes it change the protocol: the header Upgrade is
 * ignored, as RFC 9110 section 7.8 allows, and CONNECT is refused.
 * @param silenceMs how long a client may leave its answer unread
 */
export function createHttpServer(silenceMs = SILENCE_MS): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 60_000,
    requestTimeout: 120_000,
  })
  server.setTimeout(silenceMs)
  server.on('newListener', refuseUpgrades)
  nameUnreadable(server)
  server.on('connect', (_req, socket) => refuseTunnel(socket as Socket))
  return server
}

/**
 * As soon as anybody listens for upgrades, Node gives up the sockets of all requests that offer one: no limit counts for
 * them any more, and whoever got them has to end them.
 * @throws Error for the program that wants to listen
 */
function refuseUpgrades(event: string): void {
  if (event === 'upgrade') throw new Error('This server changes no protocol; nobody listens for upgrades.')
}

const refusal = 'CONNECT is not understood here.\n'

/** Node has given this socket up as well, so the answer is written by hand. */
function refuseTunnel(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.write(
    answerByHand(
      405,
      newRequestId(),
      `Allow: GET, HEAD, POST, OPTIONS\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${refusal.length}\r\n`,
      refusal,
    ),
  )
  socket.destroySoon()
}

/** Attaches the listener; kept apart from creation because Next is prepared in between. */
export const attach = (server: Server, handler: NodeHandler): void => {
  noteConnections(server)
  noteTraffic(server)
  server.on('request', (req, res) => void handler(req, res))
}
