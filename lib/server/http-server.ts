import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTcpServer, Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { isAddressMissing, listenAddresses } from '@/lib/base/config/listen-addresses.mjs'
import { noteConnections, requestIdHeader } from '@/lib/base/http/client-address'
import { log } from '@/lib/base/log/log'
import { newRequestId } from '@/lib/base/log/request-scope'
import type { NodeHandler } from './dispatch'

/**
 * The keep-alive timeout in milliseconds. Load balancers often close idle connections after 60 seconds. If
 * the server closed them first, it could close a connection just as the load balancer sends a request.
 */
const KEEP_ALIVE_MS = 65_000

/** The maximum time without data on a connection with a request in progress, in milliseconds. */
const SILENCE_MS = 150_000

/**
 * Creates a server that has time limits and does not listen yet. Requests cannot change the protocol: the
 * Upgrade header is ignored, as RFC 9110 section 7.8 allows, and CONNECT is rejected.
 * @param silenceMs how long a connection with a request in progress can be without data, in milliseconds
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
 * Prevents listeners for the `upgrade` event. With such a listener, Node hands over the socket of every
 * request that offers an upgrade. Node then applies no limits to that socket, and the listener must close it.
 * @throws Error if a program adds such a listener
 */
function refuseUpgrades(event: string): void {
  if (event === 'upgrade') throw new Error('This server does not support protocol upgrades.')
}

const refusal = 'CONNECT is not supported.\n'

/**
 * Rejects CONNECT. For this method, Node provides only the socket, so the response is written to it directly.
 */
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

/**
 * Starts to track the server's connections and attaches the request listener. This function is separate from
 * `createHttpServer`, because the server is created before Next is prepared, but the request listener needs
 * Next.
 */
export const attach = (server: Server, handler: NodeHandler): void => {
  noteConnections(server)
  noteTraffic(server)
  server.on('request', (req, res) => void handler(req, res))
}

/**
 * Starts listening.
 * @param host an IP address of this machine; if undefined, its loopback addresses, which no other machine can
 * reach
 * @throws Error with a message for the instance admin if the port is not available
 */
export async function listen(server: Server, port: number, host?: string): Promise<void> {
  const [first, ...others] = listenAddresses(host)
  await open(server, port, first)
  for (const address of others) {
    // Use the same options as Node's HTTP server.
    const listener = createTcpServer({ allowHalfOpen: true, noDelay: true })
    const isOpen = await open(listener, port, address, isAddressMissing)
    if (isOpen) listenBeside(server, listener)
  }
}

/** The error codes for an address that this machine does not have. */
const wrongHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])

/**
 * Opens a listener.
 * @param passOver returns whether an error with this code can be ignored
 * @returns true if the listener listens; false if it failed with an error that can be ignored
 * @throws Error with a message for the instance admin if it failed with any other error
 */
const open = (listener: Listener, port: number, address?: string, passOver = (_code?: string) => false) =>
  new Promise<boolean>((resolve, reject) => {
    const refuse = ({ code }: NodeJS.ErrnoException) => {
      if (passOver(code)) resolve(false)
      else if (code && wrongHost.has(code))
        reject(new Error(`HOST ${address} is not an address of this machine (${code}).`))
      else reject(new Error(`Port ${port} can’t be opened (${code}). Set PORT to another port.`))
    }
    listener.once('error', refuse)
    listener.listen(port, address, () => {
      listener.off('error', refuse)
      resolve(true)
    })
  })

type Traffic = {
  /**
   * Every open connection, including connections without a request, which Node's own list of idle connections
   * omits.
   */
  sockets: Set<Socket>
  /** The responses that have not finished. */
  answers: Set<ServerResponse>
  /** Listeners that pass their connections to the server. */
  listeners: Set<Listener>
  ending: boolean
}

/**
 * The maximum time for which `drain` continues to read requests that have already arrived, in milliseconds.
 */
const READING_MS = 250

/**
 * The number of consecutive event loop turns without a new connection after which the accept queue is
 * considered empty.
 */
const QUIET_TURNS = 3

const traffics = new WeakMap<Server, Traffic>()

function trafficOf(server: Server): Traffic {
  const known = traffics.get(server)
  if (known) return known
  const traffic = {
    sockets: new Set<Socket>(),
    answers: new Set<ServerResponse>(),
    listeners: new Set<Listener>(),
    ending: false,
  }
  traffics.set(server, traffic)
  return traffic
}

/**
 * Starts to track the connections and responses that `drain` waits for. Call this before adding the request
 * listener.
 */
function noteTraffic(server: Server): void {
  const traffic = trafficOf(server)
  server.on('connection', (socket: Socket) => {
    traffic.sockets.add(socket)
    socket.once('close', () => traffic.sockets.delete(socket))
  })
  server.on('request', (_req, res) => {
    if (traffic.ending) res.setHeader('connection', 'close')
    traffic.answers.add(res)
    // Several of our listeners wait for the end of a response. Together with Next's listeners, they exceed
    // the number at which Node warns.
    res.setMaxListeners(20)
    res.once('close', () => traffic.answers.delete(res))
  })
}

/** Passes a listener's connections to the server. `drain` closes the listener together with the server. */
function listenBeside(server: Server, listener: Listener): void {
  listener.on('connection', (socket) => server.emit('connection', socket))
  trafficOf(server).listeners.add(listener)
}

/**
 * Shuts down a server. For `noticeMs`, the server keeps accepting connections, so that load balancers can
 * react, and closes each connection after its response. Then it stops accepting connections, finishes the
 * requests in progress, and closes the remaining connections.
 * @param noticeMs how long the server keeps accepting connections, in milliseconds
 * @param atMostMs the time after which connections are closed even if their requests are still in progress,
 * in milliseconds from the start of the shutdown
 */
export async function drain(server: Server, { noticeMs = 0, atMostMs = 5_000 } = {}): Promise<void> {
  const traffic = trafficOf(server)
  const end = performance.now() + atMostMs
  traffic.ending = true
  for (const res of traffic.answers) endConnectionAfter(res)
  await goOnFor(noticeMs)

  const listeners = [server, ...traffic.listeners]
  await acceptWaiting(listeners, performance.now() + atMostMs / 2)
  // Do not call server.close() yet. It would immediately close idle connections and connections with unread
  // requests.
  for (const listener of listeners) Listener.prototype.close.call(listener)
  await goOnFor(Math.min(noticeMs, READING_MS))
  server.close()
  // Close connections without a request, which browsers open in advance. Node does not count such a
  // connection as idle, so server.close() leaves it open.
  for (const socket of traffic.sockets) if (socket.bytesRead === 0) socket.destroy()
  while (traffic.sockets.size > 0 && performance.now() < end) await sleep(10)
  for (const socket of traffic.sockets) socket.destroy()
}

/**
 * Accepts the connections that are waiting in the kernel's queue, because closing a listener would reset
 * them. The event loop accepts one connection per turn, so many connections can be waiting on a busy server.
 * The queue is shortened, so that new connections cannot enter it. The client's kernel retries the handshake
 * of such a connection a second later, and the connection is then refused.
 * @param until the time to give up, in `performance.now()` milliseconds
 */
async function acceptWaiting(listeners: Listener[], until: number): Promise<void> {
  let accepted = 0
  const count = () => accepted++
  for (const listener of listeners) {
    listener.on('connection', count)
    shortenQueue(listener)
  }
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < until; ) {
    const before = accepted
    await nextTurn()
    quiet = accepted === before ? quiet + 1 : 0
  }
  for (const listener of listeners) listener.off('connection', count)
}

/**
 * Reduces a listener's queue to the minimum length. Node has no API for this, but calling `listen` on a
 * listening socket changes the queue's length.
 */
function shortenQueue(listener: Listener): void {
  const { _handle } = listener as unknown as { _handle?: { listen?: (backlog: number) => number } }
  _handle?.listen?.(0)
}

/** Waits in short intervals, so that pending connections and reads are processed even on a busy machine. */
async function goOnFor(ms: number): Promise<void> {
  for (let slice = 0; ms > 0 && slice < 10; slice++) await sleep(ms / 10)
}

function endConnectionAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('connection', 'close')
  // The header can no longer be set, so close the connection after the queued response has been sent.
  else res.once('finish', () => res.req.socket.destroySoon())
}

/**
 * The status codes that Node uses for requests that it cannot read, by error code. Node uses 400 for all
 * other errors.
 */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

type Unread = Socket & { _httpMessage?: { headersSent?: boolean } | null }

/**
 * Makes a server respond to malformed HTTP in the same way as Node, but with a request ID, which is also
 * logged.
 */
function nameUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Unread) => {
    const answering = socket._httpMessage
    if (!socket.writable || error.code === 'ECONNRESET' || answering?.headersSent) {
      socket.destroy(error)
      return
    }
    const status = statuses[error.code ?? ''] ?? 400
    const id = newRequestId()
    log.debug('a request could not be read', { requestId: id, status, error })
    socket.end(answerByHand(status, id), () => socket.destroy())
  })
}

/** Formats a response for a connection that has no ServerResponse. */
const answerByHand = (status: number, id: string, headers = '', text = ''): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${requestIdHeader}: ${id}\r\nConnection: close\r\n${headers}\r\n${text}`
