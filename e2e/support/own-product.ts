import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { testPort } from '@/lib/testing/free-port'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { startReplica } from './replicas'

export type OwnProduct = {
  url: string
  port: number
  database: EmbeddedDatabase
  /** Starts the server, in place of the one that runs. @param settings besides those of every replica @throws Error when it does not come up */
  start: (settings?: Record<string, string>) => ReturnType<typeof startReplica>
  /** Stops the server, as a signal does. */
  stop: () => Promise<void>
  /** Stops it, and removes what it stored. */
  end: () => Promise<void>
}

/** The packed server for a test alone, on an empty database of its own: for settings that would change what the others see. */
export async function makeOwnProduct(): Promise<OwnProduct> {
  const dataDir = makeTemporaryData()
  const database = await openEmbeddedDatabase(dataDir, { database: 'own', fast: true })
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
    database,
    start: async (settings) => {
      await stop()
      running = await startReplica(port, url, database.url, settings)
      return running
    },
    stop,
    end: async () => {
      await stop()
      await database.release()
      removeTemporaryData(dataDir)
    },
  }
}
