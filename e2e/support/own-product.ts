import { testPort } from '@/lib/testing/free-port'
import { makeOwnDatabase } from './own-database'
import { startReplica } from './replicas'

export type OwnProduct = {
  url: string
  port: number
  databaseUrl: string
  /** Starts the server, in place of the one that runs. @param settings besides those of every replica @throws Error when it does not come up */
  start: (settings?: Record<string, string>) => ReturnType<typeof startReplica>
  /** Stops the server, as a signal does. */
  stop: () => Promise<void>
}

/**
 * The packed server for one test, with its own database, for settings that would affect other tests.
 * @param databaseUrl the database of the caller; default: a new one without rows
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
