import fs from 'node:fs'
import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { checkConnection } from '@/lib/base/db/check-connection'
import { missingMigrations, nameMigrations, readMigrations } from '@/lib/base/db/migrate'
import { migrateDirectly } from '@/lib/base/db/migrate-directly'
import { pool } from '@/lib/base/db/pool'
import { divertConsole } from '@/lib/base/log/divert-console'
import { log } from '@/lib/base/log/log'
import { openTelemetry } from './open-telemetry'
import type { RunningServer } from './start-server'

/** Loads what starts the server with its pages. */
export type LoadServer = () => Promise<{ startServer: (dir: string) => Promise<RunningServer> }>

/**
 * Checks the settings and the database, serves, and stops on SIGINT or SIGTERM. What keeps it from starting is printed
 * as one sentence, and the exit code is 1.
 * @param root the folder that holds `.next` and `prisma/migrations`
 * @param load loads app/start-server, which a floor below cannot name
 */
export async function runProduction(root: string, load: LoadServer): Promise<void> {
  divertConsole({ log: true })
  try {
    const { DATABASE_URL } = config()
    if (!fs.existsSync(path.join(root, '.next/BUILD_ID'))) {
      throw new Error(`There is no build in ${root}; make one with \`npm run build\`.`)
    }
    await openTelemetry()
    await checkConnection(DATABASE_URL)
    await settleMigrations(root)
    const { startServer } = await load()
    const server = await startServer(root)
    stopOnSignals(server)
  } catch (error) {
    // For a person, who may not have got the settings of the log right either.
    process.stderr.write(`Latchkey cannot start. ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}

/** The first signal stops the server in order, a second one ends the process at once. */
function stopOnSignals({ close }: RunningServer): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    void close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}

async function settleMigrations(root: string): Promise<void> {
  const migrations = readMigrations(path.join(root, 'prisma/migrations'))
  if (process.env.MIGRATE !== '0') {
    const { applied } = await migrateDirectly(migrations)
    if (applied.length > 0) log.info('migrations were applied', { migrations: applied })
    return
  }
  const names = migrations.map((migration) => migration.name)
  const missing = await missingMigrations(pool(), names)
  if (missing.length > 0) {
    throw new Error(
      `The database lacks migrations: ${nameMigrations(missing)}; run \`latchkey migrate\`, or start without MIGRATE=0.`,
    )
  }
}
