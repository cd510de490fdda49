import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

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
export function noteTraffic(server: Server): void {
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
export function listenBeside(server: Server, listener: Listener): void {
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
