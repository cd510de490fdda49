import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { withConnection } from '@/lib/base/db/embedded/cluster'
import { distributeOver, registerNodes } from './citus'

const withDatabase = (url: string, database: string) => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function createDatabase(options: string, everywhere = false): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  for (const url of [templateUrl, ...(everywhere ? inject('workerUrls') : [])]) {
    await withConnection(withDatabase(url, 'postgres'), (client) =>
      client.query(`CREATE DATABASE ${name} ${options}`),
    )
  }
  return withDatabase(templateUrl, name)
}

/**
 * Creates a separate database that is migrated and contains only signing keys, and returns its URL. On Citus,
 * the database is distributed. Every integration test file already has one such database, whose URL is in
 * DATABASE_URL.
 */
export async function cloneDatabase(): Promise<string> {
  // Copying the template's files is faster than the default, which copies its pages through the WAL.
  const url = await createDatabase('TEMPLATE template STRATEGY FILE_COPY', true)
  const workers = inject('workerUrls')
  if (workers.length > 0) await distributeOver(url, workers)
  return url
}

/**
 * Creates a database on every Citus node. In the coordinator's database, the other nodes are registered as
 * workers, but no tables are distributed.
 * @param isEmpty whether the database has no tables; if false, it is migrated
 * @returns the URL of the coordinator's database
 * @throws Error if the tests do not run on Citus
 */
export async function cloneUndistributed({ isEmpty = false } = {}): Promise<string> {
  const workers = inject('workerUrls')
  if (workers.length === 0) throw new Error('the tests do not run on Citus')
  const url = await createDatabase(`TEMPLATE ${isEmpty ? 'template0' : 'template'}`, true)
  if (isEmpty) {
    for (const node of [
      url,
      ...workers.map((worker) => withDatabase(worker, new URL(url).pathname.slice(1))),
    ]) {
      await withConnection(node, (client) => client.query('CREATE EXTENSION citus'))
    }
  }
  await registerNodes(url, workers)
  return url
}

/**
 * Returns the settings with which the product connects to a database through the pooler, or an empty object
 * if the tests do not use a pooler. If TEST_PREPARED is 0, the settings are for a pooler that does not
 * support prepared statements.
 * @param direct the database's own URL
 */
export function poolerSettings(direct: string): Record<string, string> {
  const pooler = inject('poolerUrl')
  if (!pooler) return {}
  const query = process.env.TEST_PREPARED === '0' ? '?pgbouncer=true' : ''
  return { DATABASE_URL: `${pooler}${new URL(direct).pathname}${query}`, DATABASE_DIRECT_URL: direct }
}

/** Creates a database without tables and returns its URL. */
export const createBlankDatabase = (): Promise<string> => createDatabase('TEMPLATE template0')

/**
 * Empties every table of the test file's database except the list of applied migrations, and resets the
 * sequences.
 */
export async function emptyDatabase(): Promise<void> {
  await withConnection(String(process.env.DATABASE_URL), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    )
    await client.query(`TRUNCATE ${rows.map((row) => row.name).join(', ')} RESTART IDENTITY CASCADE`)
  })
}
