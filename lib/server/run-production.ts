import fs from 'node:fs'
import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { checkConnection } from '@/lib/base/db/check-connection'
import { readMigrations, settleMigrations } from '@/lib/base/db/migrate'
import { divertConsole, log } from '@/lib/base/log/log'
import { createFirstUsers, type LoadDemo } from '@/lib/features/instance-admin/create-admin'
import { openTelemetry } from './open-telemetry'
import type { RunningServer } from './start-server'

/** Functions that load modules that this layer must not import. */
export type Loaders = {
  /** Loads the server with its pages (app/start-server). */
  server: () => Promise<{ startServer: (dir: string) => Promise<RunningServer> }>
  /** Loads the module that creates the demo data (prisma/seed). */
  demo: LoadDemo
}

/**
 * Checks the settings, the build, and the database, applies migrations, and creates the first users. Then
 * runs the server and shuts it down on SIGINT or SIGTERM. If the server cannot start, the error message is
 * printed without a stack trace and the process exits with code 1.
 * @param root the folder with `.next` and `prisma/migrations`
 */
export async function runProduction(root: string, loaders: Loaders): Promise<void> {
  divertConsole({ log: true })
  try {
    const { DATABASE_URL } = config()
    if (!fs.existsSync(path.join(root, '.next/BUILD_ID'))) {
      throw new Error(`There is no build in ${root}. Run \`npm run build\`.`)
    }
    await openTelemetry()
    await checkConnection(DATABASE_URL)
    const { applied } = await settleMigrations(readMigrations(path.join(root, 'prisma/migrations')))
    if (applied.length > 0) log.info('migrations were applied', { migrations: applied })
    await createFirstUsers(loaders.demo)
    const { startServer } = await loaders.server()
    const server = await startServer(root)
    stopOnSignals(server)
  } catch (error) {
    // Do not use the log here, because the log's own settings might be invalid.
    process.stderr.write(`Latchkey cannot start. ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}

/** Shuts the server down gracefully on the first signal, and ends the process immediately on the second. */
function stopOnSignals({ close }: RunningServer): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    void close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
