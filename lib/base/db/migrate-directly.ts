import { config } from '@/lib/base/config/env'
import { checkConnection } from './check-connection'
import { type Migration, type MigrationReport, migrate } from './migrate'

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
