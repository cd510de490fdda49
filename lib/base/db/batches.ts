import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logLostConnection } from './database-errors'
import { pool } from './pool'
import { connectionSettings, PrimaryClient, silenceMs } from './primary'
import { watchConnection, watchStatements } from './watch'

/** So long may a statement take that reads a whole table, in seconds. */
const patience = 600

/**
 * Lends a connection of its own to a job that reads whole tables: what takes longer than a request may wait is its work
 * there, and no fault. It ends with the job.
 * @throws what the work throws, or what keeps the connection from being made
 */
export async function withPatience<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient(connectionSettings(patience))
  // What is under way on it is refused as well.
  client.on('error', logLostConnection)
  await client.connect()
  watchConnection(client, silenceMs(patience))
  watchStatements(client)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Few enough that a statement is over, and its locks are gone, within milliseconds. */
const batch = 1_000

type Deletion = {
  /** The table, its key and the condition on what goes; SQL of ours, never of a caller. */
  table: string
  key: string
  where: string
}

/**
 * Deletes many rows without being in anybody's way: a small batch at a time, rows that something else holds are left for
 * the next run, and after each batch it rests as long as the batch took.
 * @param until when to stop although there is more, as `performance.now()` counts
 * @param db for what can only be found by reading a whole table, a connection with patience (with-patience.ts)
 * @returns how many rows went
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

/** Shards have no rows to hold for each other: what is to go is read first, and goes where it lies. */
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
