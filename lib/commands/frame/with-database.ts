import { checkConnection } from '@/lib/base/db/check-connection'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { checkSettings, dataDir, hasOwnDatabase, provideSettings } from '@/lib/base/db/embedded/settings'
import { endConnections } from '@/lib/base/db/end-connections'
import { missingMigrations, nameMigrations } from '@/lib/base/db/migrate'
import { pool } from '@/lib/base/db/pool'
import { onShutdown, runShutdownTasks } from '@/lib/base/process/shutdown'
import { migrationNames } from '@/lib/generated/migration-names'
import type { Needs } from './command'

/** Mails of a command are sent before it ends, however slow the server for them is. */
const patienceMs = 60_000

/**
 * Runs a command on the database it needs: that of DATABASE_URL, or the embedded one, which is started unless it runs and
 * stopped again where nobody else uses it.
 * @throws Error with one sentence when the settings are wrong or the database cannot be used; what the work throws
 */
export async function withDatabase<Result>(
  needs: Needs,
  root: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (needs === 'nothing') return work()
  checkSettings()
  const embedded = hasOwnDatabase() ? undefined : await openEmbeddedDatabase(dataDir(root))
  const leave = embedded && leaveOnSignals(embedded)
  try {
    provideSettings(root, embedded?.url)
    await checkConnection(String(process.env.DATABASE_URL))
    if (needs === 'schema') await requireMigrations()
    return await work()
  } finally {
    await runShutdownTasks(patienceMs)
    await embedded?.release()
    leave?.()
  }
}

async function requireMigrations(): Promise<void> {
  onShutdown('database connections', endConnections)
  const missing = await missingMigrations(pool(), [...migrationNames])
  if (missing.length === 0) return
  throw new Error(
    `The database lacks migrations: ${nameMigrations(missing)}; run \`latchkey migrate\` first.`,
  )
}

/** A command that is interrupted leaves no server behind that nobody uses. */
function leaveOnSignals(database: EmbeddedDatabase): () => void {
  const stop = () => {
    database.abandon()
    process.exit(130)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
