import { inject } from 'vitest'
import { pool } from '@/lib/base/db/pool'

/**
 * Returns the number of statements in the test's database that are waiting for a lock. On Citus, a statement
 * on a worker and the statement on the coordinator that waits for it count as one.
 * @param about a PostgreSQL regular expression that a statement must match; by default, every statement
 * matches
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
