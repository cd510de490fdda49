import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logLostConnection } from './database-errors'
import { pool } from './pool'
import { connectionSettings, PrimaryClient, silenceMs } from './primary'
import { watchConnection, watchStatements } from './watch'

/** The timeout of a statement that reads a whole table, in seconds. */
const longTimeout = 600

/**
 * Runs work that reads whole tables on a separate connection with a long statement timeout, and closes the
 * connection.
 * @throws what the work throws, or the reason why the connection does not open
 */
export async function withLongTimeout<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient(connectionSettings(longTimeout))
  // Failed statements on the connection reject as well.
  client.on('error', logLostConnection)
  await client.connect()
  watchConnection(client, silenceMs(longTimeout))
  watchStatements(client)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Few enough rows that a statement ends, and releases its locks, within milliseconds. */
const batch = 1_000

type Deletion = {
  /** The table, its key and the condition on the rows: our SQL, never a caller's. */
  table: string
  key: string
  where: string
}

/**
 * Deletes many rows without delaying others: in small batches, leaving locked rows for the next run, and pausing after each
 * batch for as long as the batch took.
 * @param until when to stop even if rows are left, by `performance.now()`
 * @param db a connection with a long timeout, if finding the rows takes reading the whole table
 * @returns the number of rows deleted
 */
export async function deleteInBatches(
  { table, key, where }: Deletion,
  until: number,
  db: pg.Pool | pg.ClientBase = pool(),
): Promise<number> {
  const text = `DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${batch} FOR UPDATE SKIP LOCKED)`
  for (let deleted = 0; ; ) {
    const since = performance.now()
    const rowCount = await db.query(text).then(
      (result) => result.rowCount ?? 0,
      (error) => deleteFromShards(error, { table, key, where }, db),
    )
    deleted += rowCount
    if (rowCount < batch || performance.now() > until) return deleted
    await sleep(performance.now() - since)
  }
}

/** Citus cannot lock rows across shards, so this reads the keys first and deletes each row in its shard. */
async function deleteFromShards(
  error: unknown,
  { table, key, where }: Deletion,
  db: pg.Pool | pg.ClientBase,
) {
  if ((error as { code?: unknown }).code !== '0A000') throw error
  const { rows } = await db.query(`SELECT ${key} AS key FROM ${table} WHERE ${where} LIMIT ${batch}`)
  if (rows.length === 0) return 0
  const text = `DELETE FROM ${table} WHERE ${key} = ANY($1) AND ${where}`
  return (await db.query(text, [rows.map((row) => row.key)])).rowCount ?? 0
}
