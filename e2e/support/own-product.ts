import { testPort } from '@/lib/testing/free-port'
import { makeOwnDatabase } from './own-database'
import { startReplica } from './replicas'

export type OwnProduct = {
  url: string
  port: number
  databaseUrl: string
  /**
   * Stops the server if it is running, and then starts a new one. Resolves after the new server listens.
   * @param settings in addition to every replica's settings
   * @throws Error if the server does not start
   */
  start: (settings?: Record<string, string>) => ReturnType<typeof startReplica>
  /**
   * Stops the server with SIGTERM and waits until its process has ended. Does nothing if the server is not
   * running.
   */
  stop: () => Promise<void>
}

/**
 * Prepares a packed server with its own database, for a test whose settings would affect other tests. Does
 * not start the server.
 * @param databaseUrl the URL of an existing database; by default, a new, migrated database
 */
export async function makeOwnProduct(databaseUrl?: string): Promise<OwnProduct> {
  const database = databaseUrl ?? (await makeOwnDatabase())
  const port = await testPort()
  const url = `http://localhost:${port}`
  let running: Awaited<ReturnType<typeof startReplica>> | undefined
  const stop = async () => {
    const server = running
    running = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  return {
    url,
    port,
    databaseUrl: database,
    start: async (settings) => {
      await stop()
      running = await startReplica(port, url, database, settings)
      return running
    },
    stop,
  }
}
