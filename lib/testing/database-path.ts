import net from 'node:net'
import { config, resetConfig } from '@/lib/base/config/env'

/** A path to the database of the test that can be broken. */
export type DatabasePath = {
  /** `silent`: what is sent arrives nowhere and nothing comes back; `refused`: connections end, and new ones at once. */
  become: (state: 'open' | 'silent' | 'refused') => void
  close: () => void
}

/**
 * Puts a path that can be broken between this process and its database. Call it before anything has connected.
 * @param timeout DATABASE_TIMEOUT from here on, in seconds
 */
export async function breakableDatabasePath(timeout: number): Promise<DatabasePath> {
  const target = new URL(config().DATABASE_URL)
  const sockets = new Set<net.Socket>()
  let state: Parameters<DatabasePath['become']>[0] = 'open'
  const server = net.createServer((inner) => {
    inner.on('error', () => inner.destroy())
    if (state === 'refused') return inner.resetAndDestroy()
    const outer = net.connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on('data', (data) => state === 'silent' || to.write(data))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
    sockets.add(inner)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target.hostname = '127.0.0.1'
  const through = new URL(target)
  through.port = String((server.address() as net.AddressInfo).port)
  Object.assign(process.env, { DATABASE_URL: through.href, DATABASE_TIMEOUT: String(timeout) })
  resetConfig()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    become(next) {
      state = next
      if (next === 'refused') endAll()
    },
    close() {
      endAll()
      server.close()
    },
  }
}
