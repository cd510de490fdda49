import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

type Given = {
  /** The connection that runs the copy. */
  client: pg.Client
  /** Opens another connection. */
  open: () => Promise<pg.Client>
  table: string
  /** The column whose hash determines the shard. */
  by: string
  shards: number
  report: (line: string) => void
}

/**
 * The interval between checks in `endInOrder`, in milliseconds. In the last phase of the copy, each check
 * cancels the writes that have started to wait since the previous check.
 */
const lookMs = 10

/** The interval between progress messages, in milliseconds. */
const tellMs = 5_000

/**
 * Copies a table into shards while it accepts writes, and reports the progress every few seconds. Writes wait
 * or are canceled only at the end of the copy (`endInOrder`). An empty table is distributed without a copy.
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
  const telling = setInterval(() => void reportCopied(watcher, given).catch(() => undefined), tellMs)
  try {
    const copier = await pidOf(client)
    gate.on(
      'error',
      () => void watcher.query('SELECT pg_cancel_backend($1::int)', [copier]).catch(() => undefined),
    )
    await gate.query('BEGIN')
    await gate.query('SELECT lock_shard_metadata(5, ARRAY[$1::bigint])', [shard])
    // Make PostgreSQL check every 50 ms whether this connection still exists, so that the copy stops if this
    // process is killed. Otherwise, the copy would end without `endInOrder`, and concurrent writes could be
    // lost.
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

/**
 * Makes Citus manage the table as a single shard, unless it already does. The rows are then copied from this
 * shard.
 * @returns the ID of this shard
 */
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
  /**
   * The connection whose transaction holds the shard lock that every write requires. The last phase of the
   * copy waits for this lock.
   */
  gate: pg.Client
  barrier: pg.Client
  watcher: pg.Client
  /** The ID of the PostgreSQL process that copies the rows. */
  copier: number
  table: string
  shard: string
  isOver: () => boolean
}

/**
 * Lets the copy end when no write that was planned earlier is in progress. Does nothing if the copy fails
 * before its last phase. In its last phase, the copy waits for all writes, and new writes wait for the copy.
 * A write that waits for the shard lock is already planned, but its shard no longer exists after the copy.
 * Citus 13 then sends an UPDATE or DELETE to no shard and reports that no row was found. As a result, a
 * refresh would be rejected, and a revocation would have no effect. To prevent this, this function holds the
 * table's lock exclusively, so that new writes wait before they are planned. Writes that already wait for the
 * shard lock are canceled with an error. See ADR 0039.
 */
async function endInOrder(end: End): Promise<void> {
  const { gate, barrier, copier, table } = end
  while (!(await isAtTheEnd(end))) {
    if (end.isOver()) return
    await sleep(lookMs)
  }
  await barrier.query('BEGIN')
  const ahead = [copier, await pidOf(gate), await pidOf(barrier)]
  // Lock the table on this node only. LOCK TABLE would first lock it on a worker, where its shards are about
  // to change.
  const locked = barrier.query(`SELECT lock_relation_if_exists($1, 'EXCLUSIVE')`, [table])
  while ((await countWriters(end, ahead)) > 0) await sleep(lookMs)
  await gate.query('COMMIT')
  await locked
  await barrier.query('COMMIT')
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid as number

/**
 * The SQL condition for the rows of `pg_locks` that represent statements waiting for the shard lock. Citus
 * sets `objsubid` to 4 for this kind of lock.
 */
const atShard = `locktype = 'advisory' AND NOT granted AND objsubid = 4
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND (classid::bigint << 32) + objid::bigint = $2::bigint`

/** Returns whether the copy is in its last phase, in which it waits for the shard lock that `gate` holds. */
async function isAtTheEnd({ watcher, copier, shard }: End): Promise<boolean> {
  const { rows } = await watcher.query<{ waits: boolean }>(
    `SELECT CASE WHEN (SELECT wait_event = 'advisory' FROM pg_stat_get_activity($1))
            THEN EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND ${atShard}) END AS waits`,
    [copier, shard],
  )
  return rows[0]?.waits === true
}

/**
 * Cancels the statements that wait for the shard lock, except statements of the processes in `ahead`.
 * @returns the number of statements that can still write to the table; at least 1 as long as new writes do
 * not yet wait for the table's lock
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

async function reportCopied(watcher: pg.Client, { table, report }: Given): Promise<void> {
  const { rows } = await watcher.query<{ copied: string; rows: string }>(
    `SELECT sum(result::bigint) AS copied,
            (SELECT greatest(sum(reltuples), 0)::bigint FROM pg_class WHERE relname ~ ('^' || $1 || '_\\d+$') AND relkind = 'r') AS rows
       FROM run_command_on_workers('SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy')`,
    [table],
  )
  const { copied, rows: all } = rows[0] as { copied: string; rows: string }
  // Omit the total for a table that was never analyzed, because PostgreSQL has no estimated row count for
  // such a table.
  if (Number(copied) > 0) report(`... ${copied} ${Number(all) > 0 ? `of about ${all} ` : ''}rows are copied`)
}
