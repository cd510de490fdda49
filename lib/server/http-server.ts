import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTcpServer, Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { isAddressMissing, listenAddresses } from '@/lib/base/config/listen-addresses.mjs'
import { noteConnections, requestIdHeader } from '@/lib/base/http/client-address'
import { log } from '@/lib/base/log/log'
import { newRequestId } from '@/lib/base/log/request-scope'
import type { NodeHandler } from './dispatch'

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

/**
 * Starts listening.
 * @param host an address of this machine; its loopback addresses, which nobody else reaches, when undefined
 * @throws Error with one sentence when the port cannot be had
 */
export async function listen(server: Server, port: number, host?: string): Promise<void> {
  const [first, ...others] = listenAddresses(host)
  await open(server, port, first)
  for (const address of others) {
    // As Node's HTTP server opens its own.
    const listener = createTcpServer({ allowHalfOpen: true, noDelay: true })
    const isOpen = await open(listener, port, address, isAddressMissing)
    if (isOpen) listenBeside(server, listener)
  }
}

/** @returns whether it listens now; false after an error that is passed over */
const open = (listener: Listener, port: number, address?: string, passOver = (_code?: string) => false) =>
  new Promise<boolean>((resolve, reject) => {
    const refuse = ({ code }: NodeJS.ErrnoException) => {
      if (passOver(code)) resolve(false)
      else reject(new Error(`Port ${port} cannot be opened (${code}); choose another with PORT.`))
    }
    listener.once('error', refuse)
    listener.listen(port, address, () => {
      listener.off('error', refuse)
      resolve(true)
    })
  })

type Traffic = {
  /** Every connection, those included that Node's own count forgets. See decision 072. */
  sockets: Set<Socket>
  /** Requests under way. */
  answers: Set<ServerResponse>
  /** Listeners that hand their connections to the server. */
  listeners: Set<Listener>
  ending: boolean
}

/** How long requests that have arrived already may take to be read. */
const READING_MS = 250

/** After how many turns of the event loop without a new connection nobody waits to be accepted. */
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

/** Notes from now on what `drain` has to wait for. To be called before anything answers. */
function noteTraffic(server: Server): void {
  const traffic = trafficOf(server)
  server.on('connection', (socket: Socket) => {
    traffic.sockets.add(socket)
    socket.once('close', () => traffic.sockets.delete(socket))
  })
  server.on('request', (_req, res) => {
    if (traffic.ending) res.setHeader('connection', 'close')
    traffic.answers.add(res)
    // Each of us who waits for the end of an answer does so once; with Next's own they are more than Node takes for a leak.
    res.setMaxListeners(20)
    res.once('close', () => traffic.answers.delete(res))
  })
}

/** Adds a listener whose connections the server answers; it is closed together with the server. */
function listenBeside(server: Server, listener: Listener): void {
  listener.on('connection', (socket) => server.emit('connection', socket))
  trafficOf(server).listeners.add(listener)
}

/**
 * Ends a server. For a moment it goes on taking connections, so that whoever distributes requests can notice, and says
 * with every answer that the connection ends. Then it takes no more, lets requests under way finish, and cuts off what
 * is left.
 * @param noticeMs how long it goes on
 * @param atMostMs how long all of it may take
 */
export async function drain(server: Server, { noticeMs = 0, atMostMs = 5_000 } = {}): Promise<void> {
  const traffic = trafficOf(server)
  const end = performance.now() + atMostMs
  traffic.ending = true
  for (const res of traffic.answers) endConnectionAfter(res)
  await goOnFor(noticeMs)

  const listeners = [server, ...traffic.listeners]
  await acceptWaiting(listeners, performance.now() + atMostMs / 2)
  // Not the server's own close(), which would end at once what is idle, or what it has not read yet.
  for (const listener of listeners) Listener.prototype.close.call(listener)
  await goOnFor(Math.min(noticeMs, READING_MS))
  server.close()
  // A browser opens connections ahead; Node, which gives them time for a first request, does not count them as idle.
  for (const socket of traffic.sockets) if (socket.bytesRead === 0) socket.destroy()
  while (traffic.sockets.size > 0 && performance.now() < end) await sleep(10)
  for (const socket of traffic.sockets) socket.destroy()
}

/**
 * Accepts what the system has accepted for us already: closing a listener resets those connections, with the requests they
 * have sent. The event loop accepts one of them a turn, so a busy server may have many. No further ones may queue up
 * meanwhile; who tries is refused a second later, when the system tries again for them.
 * @param until when to give up, as `performance.now()` counts
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

/** Node has no word for it: the system takes it as the new length of a queue when a socket that listens is told to listen. */
function shortenQueue(listener: Listener): void {
  const { _handle } = listener as unknown as { _handle?: { listen?: (backlog: number) => number } }
  _handle?.listen?.(0)
}

/** Lets time pass in slices: in each, what waits to be accepted or read gets its turn, however busy the machine is. */
async function goOnFor(ms: number): Promise<void> {
  for (let slice = 0; ms > 0 && slice < 10; slice++) await sleep(ms / 10)
}

function endConnectionAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('connection', 'close')
  // What the client has been promised goes out first.
  else res.once('finish', () => res.req.socket.destroySoon())
}

/** The status that Node itself gives to what it cannot read. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

type Unread = Socket & { _httpMessage?: { headersSent?: boolean } | null }

/** Answers what is no HTTP as Node does, with a name by which it is found in the log. */
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

/** An answer to what has no ServerResponse. */
const answerByHand = (status: number, id: string, headers = '', text = ''): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${requestIdHeader}: ${id}\r\nConnection: close\r\n${headers}\r\n${text}`
