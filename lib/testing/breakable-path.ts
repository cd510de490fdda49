import net from 'node:net'

/**
 * The state of the path. `open`: connections work. `silent`: nothing arrives in either direction. `lost`:
 * existing connections are silent, as after a failover, but new connections work. `refused`: existing
 * connections are closed, and new connections are rejected.
 */
type PathState = 'open' | 'silent' | 'lost' | 'refused'

/** A network path to a server. Tests can break the path. */
export type BreakablePath = {
  port: number
  become: (state: PathState) => void
  /**
   * Routes new connections to another server, like a host name that always resolves to the current primary.
   */
  lead: (to: URL) => void
  close: () => void
}

/** Starts a proxy on this machine that forwards connections to a server. */
export async function breakablePath(first: URL): Promise<BreakablePath> {
  let target = new URL(first)
  const sockets = new Set<net.Socket>()
  let state: PathState = 'open'
  /** The connections that existed when the path was lost. */
  const dead = new WeakSet<net.Socket>()
  const server = net.createServer((inner) => {
    inner.on('error', () => inner.destroy())
    if (state === 'refused') return inner.resetAndDestroy()
    const outer = net.connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on('data', (data) => state === 'silent' || dead.has(inner) || to.write(data))
      from.on('close', () => dead.has(inner) || to.destroy())
      from.on('error', () => to.destroy())
    }
    sockets.add(inner)
    inner.once('close', () => sockets.delete(inner))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    become(next) {
      state = next
      if (next === 'refused') endAll()
      if (next === 'lost') for (const socket of sockets) dead.add(socket)
    },
    lead(to) {
      target = to
    },
    close() {
      endAll()
      server.close()
    },
  }
}
