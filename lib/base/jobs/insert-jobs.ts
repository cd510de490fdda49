import { createHash } from 'node:crypto'
import PgBoss from 'pg-boss'
import { pool } from '@/lib/base/db/pool'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'

/**
 * Returns this process's queue client, which only inserts jobs. Processes that called `startJobs` run these
 * jobs.
 */
const writer = () => remember('job writer', () => new PgBoss({ db: throughPrisma(prisma()) }))

const throughPrisma = (db: Db): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await db.$queryRawUnsafe<unknown[]>(text, ...values) }),
})

/**
 * Returns whether background work was ever started with this database. The result is cached if it is true.
 */
export async function hasQueue(db: Db): Promise<boolean> {
  const known = remember('job queue', () => ({ there: false }))
  if (!known.there) {
    const rows = await db.$queryRaw<{ there: boolean }[]>`
      SELECT to_regclass('pgboss.archive') IS NOT NULL AS there`
    known.there = rows[0]?.there === true
  }
  return known.there
}

/**
 * Returns whether a queue exists. Each queue has its own partition of the job table, and inserts fail if the
 * partition is missing. The result is cached if it is true.
 */
async function isMade(db: Db, queue: string): Promise<boolean> {
  const made = remember('queues made', () => new Set<string>())
  if (!made.has(queue) && (await hasQueue(db))) {
    const found = await db.$queryRaw<unknown[]>`SELECT name FROM pgboss.queue WHERE name = ${queue}`
    if (found.length > 0) made.add(queue)
  }
  return made.has(queue)
}

/**
 * Queues jobs as part of a transaction, so that the jobs exist only if the transaction commits (ADR 0032). If
 * a job with the same ID is already queued, that job is not changed. No job is written if the queue does not
 * exist, for example because background work was never started. When background work starts, it writes the
 * missing jobs for stored webhook deliveries.
 * @param db the transaction of the change that causes the jobs
 */
export async function insertJobs(
  db: Db,
  queue: string,
  jobs: Omit<PgBoss.JobInsert, 'name'>[],
): Promise<void> {
  if (jobs.length === 0 || !(await isMade(db, queue))) return
  const named = jobs.map((job) => ({ ...job, name: queue }))
  await writer().insert(named, { db: throughPrisma(db) })
}

/**
 * Returns a job ID that is derived from a text, so that a job is not queued twice. The same text always
 * results in the same UUID (RFC 9562 section 5.8).
 */
export function jobId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * The state of a queue: the number of waiting jobs that are due, and how many seconds ago the first of these
 * jobs became due. Both numbers are 0 if no due job is waiting.
 */
type QueueState = { name: string; waiting: number; waitedSeconds: number }

/** The query for `readQueues`. The subquery uses an index of pg-boss. */
const queuesSql = `
  SELECT q.name, waiting.jobs::int AS waiting,
         coalesce(extract(epoch FROM now() - waiting.since), 0)::float8 AS "waitedSeconds"
    FROM pgboss.queue q, LATERAL (
      SELECT count(*) AS jobs, min(start_after) AS since FROM pgboss.job j
       WHERE j.name = q.name AND j.state < 'active' AND j.start_after <= now()) waiting
   WHERE left(q.name, 2) <> '__' ORDER BY q.name`

/**
 * Returns the state of every queue except pg-boss's internal queues, ordered by name and read with one
 * statement. Returns an empty list if background work was never started.
 */
export async function readQueues(): Promise<QueueState[]> {
  if (!(await hasQueue(prisma()))) return []
  return (await pool().query<QueueState>(queuesSql)).rows
}
