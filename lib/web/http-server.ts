import { createServer, type Server } from 'node:http'
import { noteConnections } from './connections'
import type { NodeHandler } from './dispatch'

/** Load balancers commonly drop idle connections after 60 s; whoever closes first must not be the server. */
const KEEP_ALIVE_MS = 65_000
/** How long a stop waits for requests under way. */
const DRAIN_MS = 10_000

/** A server with sane limits that is not listening yet. */
export const createHttpServer = (): Server =>
  createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 60_000,
    requestTimeout: 120_000,
  })

/**
 * Starts listening.
 * @param host all interfaces when undefined
 * @throws Error with one sentence when the port cannot be had
 */
export const listen = (server: Server, port: number, host?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(new Error(`Port ${port} cannot be opened (${error.code}); choose another with PORT.`))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve()
    })
  })

/** Attaches the listener; kept apart from creation because Next wants the server before it can answer anything. */
export const attach = (server: Server, handler: NodeHandler): void => {
  noteConnections(server)
  server.on('request', (req, res) => void handler(req, res))
}

/** Takes no new connections, lets requests under way finish for a while, then closes what is left. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}
