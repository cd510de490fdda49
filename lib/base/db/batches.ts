import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logLostConnection } from './database-errors'
import { pool } from './pool'
import { connectionSettings, PrimaryClient, silenceMs } from './primary'
import { watchConnection, watchStatements } from './watch'

/** The timeout for a statement that reads a whole table, in seconds. */
const longTimeout = 600

/**
 * Calls a function that reads whole tables, with a separate connection that has a long statement timeout.
 * Then closes the connection.
 * @returns the function's result
 * @throws the function's error, or the driver's error if the connection cannot be opened
 */
export async function withLongTimeout<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient(connectionSettings(longTimeout))
  // If the connection is lost, its current statement fails too, so this handler only logs the error.
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

/**
 * The number of rows per statement. It is low enough that a statement finishes and releases its locks within
 * milliseconds.
 */
const batch = 1_000

/** The rows to delete. Never pass user input, because the values become part of the SQL text. */
type Deletion = {
  table: string
  /** The table's key column. */
  key: string
  /** The condition that selects the rows. */
  where: string
}

/**
 * Deletes many rows without delaying other queries. Deletes the rows in small batches, skips locked rows, and
 * pauses between batches for as long as the last batch took.
 * @param until the time after which no further batch starts, even if rows are left, in `performance.now()`
 * milliseconds
 * @param db a connection with a long timeout; required if a statement must read the whole table to find the
 * rows
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

/**
 * Deletes a batch of rows from a distributed table. Citus cannot lock rows across shards, so this function
 * reads the keys first and then deletes the rows with these keys. Rethrows `error` unless its code means that
 * the database does not support the usual statement.
 * @returns the number of rows deleted
 */
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
