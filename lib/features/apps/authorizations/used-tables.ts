import pg from 'pg'
import { withLongTimeout } from '@/lib/base/db/batches'
import { pool } from '@/lib/base/db/pool'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'

/**
 * The tables for used refresh tokens. Each week has its own table, which inherits from `oauth_artifacts` and
 * is dropped as a whole when its tokens are no longer needed. Queries of `ONLY oauth_artifacts` skip these
 * tables, and queries of `oauth_artifacts` include them. See ADR 0005.
 */

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/**
 * The Unix time, in milliseconds, of the first Monday after 1 January 1970 (a Thursday). Weeks begin on
 * Mondays in UTC.
 */
const firstMonday = 4 * dayMs

/** The number of days after which a used token is no longer needed to detect its reuse. */
export const reuseNoticedDays = 30

/**
 * The last computed table name and the start of its week. Consecutive refreshes usually need the same table
 * name.
 */
let named = { start: Number.NaN, name: '' }

/**
 * Returns the name of the table for a time, without its schema. The name contains the first day of the week.
 */
const nameAt = (ms: number): string => {
  const start = Math.floor((ms - firstMonday) / weekMs) * weekMs + firstMonday
  if (named.start !== start) {
    named = { start, name: `from_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}` }
  }
  return named.name
}

/**
 * Returns the end of a table's week as a Unix time in milliseconds, or undefined if the name does not contain
 * a date.
 */
const endOf = (name: string): number | undefined => {
  const [, year, month, day] = /^from_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return day === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day)) + weekMs
}

const known = () => remember('used-tables', () => new Set<string>())
const state = () => remember('used-tables-state', () => ({ missing: false }))

/**
 * Returns whether the last run of `keepUsedTables` in this process did not find or create this week's table.
 * In a distributed database, which has no such tables, returns false.
 */
export const isUsedTableMissing = (): boolean => state().missing

/**
 * Returns the table to which a refresh token that is used now is moved.
 * @returns undefined if this process has found no such table. The token then stays in `oauth_artifacts`,
 * marked as used.
 */
export function usedTable(now = Date.now()): string | undefined {
  const name = nameAt(now)
  return known().has(name) ? `used_tokens.${name}` : undefined
}

/**
 * Makes this process stop using the tables until `keepUsedTables` finds them again. Call this function if a
 * statement fails because a table is missing.
 */
export const forgetUsedTables = (): void => known().clear()

type Found = { tables: string[]; distributed: boolean; now: number }

/**
 * Returns the names of the existing tables, whether the database is distributed, and the database's time.
 * With Citus, tables cannot have children, so used tokens stay in the shards of `oauth_artifacts`.
 */
async function find(db: pg.Pool | pg.ClientBase = pool()): Promise<Found> {
  const { rows } = await db.query<Found>(
    `SELECT ARRAY(SELECT relname::text FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
                   WHERE inhparent = 'oauth_artifacts'::regclass AND relnamespace = to_regnamespace('used_tokens')
                   ORDER BY relname) AS tables,
            EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS distributed,
            extract(epoch FROM now())::float8 * 1000 AS now`,
  )
  return rows[0] as Found
}

/** The key of the lock that lets only one replica at a time create or drop tables. */
const makingLock = 72_707_371

/**
 * Returns the name of the table for a time, and the SQL that creates the table unless it exists. The table
 * has indexes to find tokens by `hash` and to delete them by `authorization_id`.
 */
export function makingOf(ms: number): { table: string; sql: string } {
  const name = nameAt(ms)
  return { table: `used_tokens.${name}`, sql: making(name) }
}

const making = (name: string) => `
  CREATE TABLE IF NOT EXISTS used_tokens.${name} () INHERITS (oauth_artifacts);
  CREATE UNIQUE INDEX IF NOT EXISTS ${name}_hash_idx ON used_tokens.${name} (hash);
  CREATE INDEX IF NOT EXISTS ${name}_authorization_idx ON used_tokens.${name} (authorization_id)`

/**
 * Runs SQL in a transaction with a short lock timeout. Without the timeout, requests would wait behind this
 * transaction while it waits for a lock. Only one replica at a time runs such a transaction.
 * @returns whether the SQL succeeded. If the database reports an error, such as a timeout, a warning is
 * logged, and the next run of `keepUsedTables` tries again.
 * @throws any other error, for example if the connection is lost
 */
async function withoutWaiting(sql: string): Promise<boolean> {
  try {
    await withLongTimeout((client) =>
      client.query(
        `BEGIN; SET LOCAL lock_timeout = '2s'; SELECT pg_advisory_xact_lock(${makingLock}); ${sql}; COMMIT`,
      ),
    )
    return true
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    log.warn('a table of used tokens could not be created or dropped; trying again within the hour', {
      error,
    })
    return false
  }
}

/**
 * Creates the tables for this week and the next, drops the tables whose week ended more than 30 days ago, and
 * remembers which tables exist. In a distributed database, no tables are created or used. Replicas can call
 * this function concurrently, because a lock serializes the changes. They can call it often, because it runs
 * only one query if there is nothing to create or drop.
 * @throws the database error if the database does not respond
 */
export async function keepUsedTables(): Promise<void> {
  const { tables, distributed, now } = await find()
  state().missing = false
  if (distributed) return forgetUsedTables()
  const wanted = [nameAt(now), nameAt(now + weekMs)]
  const missing = wanted.filter((name) => !tables.includes(name))
  const over = tables.filter((name) => (endOf(name) ?? now) + reuseNoticedDays * dayMs < now)
  for (const name of missing) await withoutWaiting(making(name))
  for (const name of over) await withoutWaiting(`DROP TABLE IF EXISTS used_tokens.${name}`)
  const there = missing.length > 0 ? (await find()).tables : tables
  forgetUsedTables()
  for (const name of there) if (!over.includes(name)) known().add(name)
  state().missing = usedTable(now) === undefined
}

/**
 * Moves the used tokens back into `oauth_artifacts` and drops their tables before the database is
 * distributed, because Citus does not support tables with children. Each table is renamed first. Servers then
 * find the table missing and keep used tokens in `oauth_artifacts`. If this function is interrupted, call it
 * again.
 * @param client a connection to a database in which the Citus extension already exists. Without the
 * extension, a server could create the tables again.
 */
export async function foldUsedTables(client: pg.ClientBase): Promise<void> {
  for (const name of (await find(client)).tables) {
    const closed = name.replace(/^from_/, 'closed_')
    if (closed !== name) await client.query(`ALTER TABLE used_tokens.${name} RENAME TO ${closed}`)
    await client.query(
      `BEGIN; INSERT INTO oauth_artifacts SELECT * FROM used_tokens.${closed} ON CONFLICT (hash) DO NOTHING;
       DROP TABLE used_tokens.${closed}; COMMIT`,
    )
  }
}
