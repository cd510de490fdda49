import net from 'node:net'

/**
 * `open`; `silent`: what is sent arrives nowhere and nothing comes back; `lost`: that is so for the connections there are, as
 * after a failover, and new ones are as they should be; `refused`: connections end, and new ones at once.
 */
type PathState = 'open' | 'silent' | 'lost' | 'refused'

/** A path to a server that can be broken. */
export type BreakablePath = {
  port: number
  become: (state: PathState) => void
  /** Has new connections go to another server, as an address does that moves with the primary. */
  lead: (to: URL) => void
  close: () => void
}

/** Listens on this machine and passes connections on to a server, as long as nobody says otherwise. */
export async function breakablePath(first: URL): Promise<BreakablePath> {
  let target = new URL(first)
  const sockets = new Set<net.Socket>()
  let state: PathState = 'open'
  /** Connections that were there when the path was lost. */
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
