import pg from 'pg'
import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { pool } from '@/lib/base/db/pool'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'

/**
 * Where refresh tokens go that were used: a table for each week, a child of `oauth_artifacts` by inheritance, which is dropped
 * as a whole when nobody asks for its tokens any more. What reads `ONLY oauth_artifacts` sees none of them; what reads
 * `oauth_artifacts` sees all.
 * See ADR 0006.
 */

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** 1 January 1970 was a Thursday; weeks begin on Mondays, in UTC. */
const firstMonday = 4 * dayMs

/** How long a used token is kept, to notice that somebody else has it too. */
export const reuseNoticedDays = 30

/** The week that was named last: each refresh asks for the same one. */
let named = { start: Number.NaN, name: '' }

/** The table of a moment, without its schema: it is named by the first day of the week. */
const nameAt = (ms: number): string => {
  const start = Math.floor((ms - firstMonday) / weekMs) * weekMs + firstMonday
  if (named.start !== start) {
    named = { start, name: `from_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}` }
  }
  return named.name
}

/** When the week of a table is over; undefined for a table that is none of these. */
const endOf = (name: string): number | undefined => {
  const [, year, month, day] = /^from_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return day === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day)) + weekMs
}

const known = () => remember('used-tables', () => new Set<string>())
const state = () => remember('used-tables-state', () => ({ missing: false }))

/** Whether this week's table should be there and could not be made. @returns false in a process that has not tried */
export const isUsedTableMissing = (): boolean => state().missing

/**
 * The table that a refresh token goes to which is used now.
 * @returns undefined where this process knows of none: the token then stays in `oauth_artifacts`, marked as used
 */
export function usedTable(now = Date.now()): string | undefined {
  const name = nameAt(now)
  return known().has(name) ? `used_tokens.${name}` : undefined
}

/** Uses none of the tables until they are looked for again: one is gone that should be there. */
export const forgetUsedTables = (): void => known().clear()

type Found = { tables: string[]; distributed: boolean; now: number }

/** Tables of a database with Citus have no children: there used tokens stay among the others, in their shards. */
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

/** The key of the lock under which the tables are made, one replica at a time. */
const makingLock = 72_707_371

/** Returns the SQL that creates the table of a moment. Tokens are found by `hash`, and end by `authorization_id`. */
export function makingOf(ms: number): { table: string; sql: string } {
  const name = nameAt(ms)
  return { table: `used_tokens.${name}`, sql: making(name) }
}

const making = (name: string) => `
  CREATE TABLE IF NOT EXISTS used_tokens.${name} () INHERITS (oauth_artifacts);
  CREATE UNIQUE INDEX IF NOT EXISTS ${name}_hash_idx ON used_tokens.${name} (hash);
  CREATE INDEX IF NOT EXISTS ${name}_authorization_idx ON used_tokens.${name} (authorization_id)`

/** Neither waits long for a lock, since requests would wait behind it; what is not done is done by the next run. */
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
 * Makes the tables of this week and the next, drops those whose last token was used 30 days ago, and learns which there are.
 * Replicas may do it at once, and as often as they like: where nothing is to be done it is one read.
 * @throws what the database says when it does not answer
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
 * Puts the used tokens back among the others and drops their tables, for a database that is about to be distributed: Citus takes
 * no table that has children. Servers notice that a table is gone and leave what they use where it is. It may end at any point
 * and be called again.
 * @param client a connection to a database that has the extension already, so that nobody makes a table anew
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

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 50_000

/**
 * Artifacts past their end; it has an index to go by, so it may run every minute. They are kept a day longer, so that a
 * device or client that comes late is told "expired" rather than "unknown".
 */
const expired = {
  table: 'ONLY oauth_artifacts',
  key: 'hash',
  where: `expires_at < now() - interval '1 day'`,
}

/** What can only be found by reading a whole table. */
const unused = [
  // A rotated refresh token is kept for a month to notice its reuse. Most are in tables that are dropped as a whole; these were
  // written where no such table existed.
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RefreshToken' AND consumed_at < now() - interval '${reuseNoticedDays} days'`,
  },
  // Agents register anew whenever they like; what nobody ever authorized is litter.
  {
    table: 'oauth_clients',
    key: 'id',
    where: `source <> 'SETTINGS' AND first_authorized_at IS NULL AND created_at < now() - interval '14 days'`,
  },
  // Whoever was not told of a sign-out in a week will not be; and a session that ran out ended without one.
  {
    table: 'app_sign_ins',
    key: 'id',
    where: `ended_at < now() - interval '7 days'
      OR session_id IN (SELECT id FROM sessions WHERE expires_at < now() - interval '7 days')`,
  },
  // What happened around an app is told for a month.
  { table: 'app_events', key: 'id', where: `created_at < now() - interval '30 days'` },
  // An app's page shows a month of what it did.
  { table: 'app_usage', key: 'ctid', where: `day < current_date - 60` },
  { table: 'workspace_app_usage', key: 'ctid', where: `day < current_date - 60` },
  {
    table: 'ONLY oauth_artifacts',
    key: 'hash',
    where: `model = 'RegistrationAccessToken'
      AND NOT EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = oauth_artifacts.payload->>'clientId')`,
  },
]

/** Removes expired artifacts. @returns how many */
export const removeExpired = (): Promise<number> => deleteInBatches(expired, performance.now() + longestMs)

/** Removes all that has no use any more: also rotated tokens of a month ago, clients that nobody ever authorized, what apps did two months ago, and whom providers knew of workspaces that are gone. */
export async function removeStale(): Promise<void> {
  const until = performance.now() + longestMs
  await withLongTimeout(async (db) => {
    for (const each of [expired, ...unused]) await deleteInBatches(each, until, db)
  })
}
