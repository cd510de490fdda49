import { inject } from 'vitest'
import { pool } from '@/lib/base/db/pool'

/**
 * How many statements of this test's database wait for somebody else's lock at the moment. On Citus it may be a worker that waits, and
 * the coordinator for the worker: a statement is one, on however many nodes it waits.
 * @param about a regular expression of PostgreSQL's that a statement matches as it was sent; any without it
 */
export async function lockWaits(about = ''): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>(
    inject('workerUrls').length > 0 ? acrossNodes : onOneNode,
    [about],
  )
  return rows[0]?.waiting as number
}

const onOneNode = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1`

const acrossNodes = `WITH everywhere AS MATERIALIZED (SELECT * FROM citus_stat_activity WHERE datname = current_database())
  SELECT count(*)::int AS waiting FROM everywhere sent
   WHERE NOT sent.is_worker_query AND sent.query ~ $1
     AND EXISTS (SELECT FROM everywhere e WHERE e.global_pid = sent.global_pid AND e.wait_event_type = 'Lock')`
