import { config } from '@/lib/base/config/env'
import { checkConnection } from './check-connection'
import { type Migration, type MigrationReport, migrate, missingMigrations, nameMigrations } from './migrate'
import { pool } from './pool'

/**
 * Brings the product's database up to date, past a pooler where DATABASE_DIRECT_URL says how: migrating holds a lock of the
 * session, which one that lends connections by the transaction cannot keep.
 * @param migrations from `readMigrations`
 * @throws Error with a sentence for the operator
 */
export async function migrateDirectly(migrations: Migration[]): Promise<MigrationReport> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA } = config()
  if (DATABASE_DIRECT_URL) await checkConnection(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
  return migrate(DATABASE_DIRECT_URL ?? DATABASE_URL, migrations, DATABASE_CA)
}

/**
 * Does what a start does about migrations: applies those that are missing, or with MIGRATE=0 makes sure that none is.
 * @throws Error with a sentence for the operator
 */
export async function settleMigrations(migrations: Migration[]): Promise<MigrationReport> {
  if (config().MIGRATE !== false) return migrateDirectly(migrations)
  const missing = await missingMigrations(
    pool(),
    migrations.map(({ name }) => name),
  )
  if (missing.length === 0) return { applied: [], edited: [] }
  throw new Error(
    `The database lacks migrations: ${nameMigrations(missing)}. Run \`latchkey migrate\`, or start without MIGRATE=0.`,
  )
}
