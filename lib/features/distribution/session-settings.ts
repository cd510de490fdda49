import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/**
 * Has every connection opened from now on go through shards one after the other: a transaction that deletes tokens in many of
 * them also writes to tables that are copied, which Citus allows in no other way.
 */
export async function oneShardAfterTheOther(client: pg.Client): Promise<void> {
  await client.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO sequential', current_database());
  END $$`)
}

/**
 * Ends the connections that were opened before, each when it has nothing to do, as they would go on without that setting.
 * Servers open others with their next statement. A prepared transaction or a job that takes long is waited for.
 */
export async function endEarlierConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp()::text AS now')
  for (;;) {
    const { rows: left } = await client.query<{ left: number }>(
      `SELECT count(*) FILTER (WHERE state <> 'idle' OR NOT pg_terminate_backend(pid))::int AS left
         FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND application_name = 'latchkey' AND backend_start < $1::timestamptz`,
      [rows[0]?.now],
    )
    if (left[0]?.left === 0) return
    await sleep(20)
  }
}
