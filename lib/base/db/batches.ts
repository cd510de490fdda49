import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logLostConnection } from './database-errors'
import { pool } from './pool'
import { connectionSettings, PrimaryClient, silenceMs } from './primary'
import { watchConnection, watchStatements } from './watch'

/** The timeout of a statement that reads a whole table, in seconds. */
const longTimeout = 600

/**
 * Runs work that reads whole tables on a separate connection with a long statement timeout, and then closes the connection.
 * @throws the error from the work, or the reason why the connection could not be opened
 */
export async function withLongTimeout<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient(connectionSettings(longTimeout))
  // A lost connection also makes its current statement reject, so this handler only logs it.
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

/** Rows per statement: few enough that the statement ends and releases its locks within milliseconds. */
const batch = 1_000

type Deletion = {
  /** The table, its key, and the condition on the rows. This SQL must never contain user input. */
  table: string
  key: string
  where: string
}

/**
 * Deletes many rows without delaying other queries: it works in small batches, leaves locked rows for the next run, and
 * pauses after each batch for as long as the batch took.
 * @param until the time, as in `performance.now()`, at which to stop even if rows are left
 * @param db a connection with a long timeout, required if finding the rows means reading the whole table
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
