import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

type Given = {
  /** Does the copying. */
  client: pg.Client
  /** Opens a further connection. */
  open: () => Promise<pg.Client>
  table: string
  /** The column whose hash says the shard. */
  by: string
  shards: number
  told: (line: string) => void
}

/** Between two looks at how far it is, in milliseconds: writes that begin to wait meanwhile are cancelled. */
const lookMs = 10

/** Between two lines that say how far it is, in milliseconds. */
const tellMs = 5_000

/**
 * Copies a table into shards while it is written to, telling every few seconds how far it is. Writes wait for its end
 * (`endInOrder`). An empty table has nothing to copy.
 */
export async function intoShards(given: Given): Promise<void> {
  const { client, table, by, shards } = given
  await client.query(`SET citus.shard_count = ${Math.trunc(shards)}`)
  const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`)
  if (rowCount === 0) {
    await client.query('SELECT create_distributed_table($1, $2)', [table, by])
    return
  }
  const shard = await soleShard(client, table)
  const [gate, barrier, watcher] = await Promise.all([given.open(), given.open(), given.open()])
  const telling = setInterval(() => void tellCopied(watcher, given).catch(() => undefined), tellMs)
  try {
    const copier = await pidOf(client)
    gate.on(
      'error',
      () => void watcher.query('SELECT pg_cancel_backend($1::int)', [copier]).catch(() => undefined),
    )
    await gate.query('BEGIN')
    await gate.query('SELECT lock_shard_metadata(5, ARRAY[$1::bigint])', [shard])
    // Else the copying would go on, and end without us, where this process is killed.
    await client.query(`SET client_connection_check_interval = '50ms'`)
    let ended = false
    const copied = client
      .query('SELECT create_distributed_table_concurrently($1, $2)', [table, by])
      .finally(() => {
        ended = true
      })
    const end = endInOrder({ gate, barrier, watcher, copier, table, shard, isOver: () => ended })
    await Promise.all([copied, end])
  } finally {
    clearInterval(telling)
    await Promise.all([gate.end(), barrier.end(), watcher.end()])
  }
}

/** Citus copies from a table that it knows of, all of whose rows are then in one shard. @returns its number */
async function soleShard(client: pg.Client, table: string): Promise<string> {
  const find = () =>
    client.query<{ shard: string }>(
      'SELECT shardid::text AS shard FROM pg_dist_shard WHERE logicalrelid = $1::regclass',
      [table],
    )
  let { rows } = await find()
  if (rows.length === 0) {
    await client.query('SELECT citus_add_local_table_to_metadata($1::regclass)', [table])
    rows = (await find()).rows
  }
  return (rows[0] as { shard: string }).shard
}

type End = {
  /** Has the lock of the shard that every write has, in a transaction: the end of the copying waits for it. */
  gate: pg.Client
  barrier: pg.Client
  watcher: pg.Client
  /** The process that copies. */
  copier: number
  table: string
  shard: string
  isOver: () => boolean
}

/**
 * Lets the copying end when no write is on its way that was planned before.
 *
 * At its end it waits for all writes, and new ones wait for it. But a write that waits at the lock of the shard knows where it
 * is going: afterwards Citus 13 finds that shard gone and sends a plain UPDATE or DELETE to none, which reports that no row
 * was there. A refresh would be refused, and a revocation would do nothing. So writes shall wait where they are not planned yet:
 * at the lock of the table, behind somebody who asks for all of it. What waits at the shard by then is cancelled, with an
 * error that says so.
 * See ADR 0049.
 */
async function endInOrder(end: End): Promise<void> {
  const { gate, barrier, copier, table } = end
  while (!(await isAtTheEnd(end))) {
    if (end.isOver()) return
    await sleep(lookMs)
  }
  await barrier.query('BEGIN')
  const ahead = [copier, await pidOf(gate), await pidOf(barrier)]
  // Of this node alone; LOCK TABLE would begin on a worker, whose copies of the table are about to change.
  const locked = barrier.query(`SELECT lock_relation_if_exists($1, 'EXCLUSIVE')`, [table])
  while ((await countWriters(end, ahead)) > 0) await sleep(lookMs)
  await gate.query('COMMIT')
  await locked
  await barrier.query('COMMIT')
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid as number

/** The lock of the shard, as `pg_locks` has it: the fourth kind of those that Citus takes. */
const atShard = `locktype = 'advisory' AND NOT granted AND objsubid = 4
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND (classid::bigint << 32) + objid::bigint = $2::bigint`

/** Whether the copying waits for writes, those behind the gate included. */
async function isAtTheEnd({ watcher, copier, shard }: End): Promise<boolean> {
  const { rows } = await watcher.query<{ waits: boolean }>(
    `SELECT CASE WHEN (SELECT wait_event = 'advisory' FROM pg_stat_get_activity($1))
            THEN EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND ${atShard}) END AS waits`,
    [copier, shard],
  )
  return rows[0]?.waits === true
}

/**
 * Cancels what waits at the shard.
 * @returns how many may still write to the table, and 1 at the least until new writes wait at its lock
 */
async function countWriters({ watcher, table, shard }: End, ahead: number[]): Promise<number> {
  const { rows } = await watcher.query<{ writers: number }>(
    `WITH cancelled AS MATERIALIZED (
       SELECT pg_cancel_backend(pid) AS done FROM pg_locks WHERE pid <> ALL($1::int[]) AND ${atShard}
     )
     SELECT (SELECT count(*) FROM cancelled)::int
          + count(*) FILTER (WHERE granted AND pid <> ALL($1::int[]) AND mode IN ('RowExclusiveLock', 'RowShareLock'))::int
          + 1 - count(*) FILTER (WHERE NOT granted AND mode = 'ExclusiveLock')::int AS writers
       FROM pg_locks WHERE locktype = 'relation' AND relation = $3::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [ahead, shard, table],
  )
  return rows[0]?.writers as number
}

async function tellCopied(watcher: pg.Client, { table, told }: Given): Promise<void> {
  const { rows } = await watcher.query<{ copied: string; rows: string }>(
    `SELECT sum(result::bigint) AS copied,
            (SELECT greatest(sum(reltuples), 0)::bigint FROM pg_class WHERE relname ~ ('^' || $1 || '_\\d+$') AND relkind = 'r') AS rows
       FROM run_command_on_workers('SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy')`,
    [table],
  )
  const { copied, rows: all } = rows[0] as { copied: string; rows: string }
  // PostgreSQL does not know how many rows a table has that it never looked through.
  if (Number(copied) > 0) told(`... ${copied} ${Number(all) > 0 ? `of about ${all} ` : ''}rows are copied`)
}
