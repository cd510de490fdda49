import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { hasQueue } from './insert-jobs'

/** How a queue stands: jobs whose time has come and that nobody has begun, and for how long the first of them has waited. */
type QueueState = { name: string; waiting: number; waitedSeconds: number }

/** Both parts are read from pg-boss's own index of what waits. */
const queuesSql = `
  SELECT q.name, waiting.jobs::int AS waiting,
         coalesce(extract(epoch FROM now() - waiting.since), 0)::float8 AS "waitedSeconds"
    FROM pgboss.queue q, LATERAL (
      SELECT count(*) AS jobs, min(start_after) AS since FROM pgboss.job j
       WHERE j.name = q.name AND j.state < 'active' AND j.start_after <= now()) waiting
   WHERE left(q.name, 2) <> '__' ORDER BY q.name`

/** How every queue stands. One statement; none are there where background work never ran. */
export async function readQueues(): Promise<QueueState[]> {
  if (!(await hasQueue(prisma()))) return []
  return (await pool().query<QueueState>(queuesSql)).rows
}
