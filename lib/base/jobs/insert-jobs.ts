import PgBoss from 'pg-boss'
import { pool } from '@/lib/base/db/pool'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'

/** Writes jobs and runs none. The process that called `startJobs` runs them. */
const writer = () => remember('job writer', () => new PgBoss({ db: throughPrisma(prisma()) }))

const throughPrisma = (db: Db): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await db.$queryRawUnsafe<unknown[]>(text, ...values) }),
})

/** Returns whether background work ever started on this database. Cached once true. */
export async function hasQueue(db: Db): Promise<boolean> {
  const known = remember('job queue', () => ({ there: false }))
  if (!known.there) {
    const rows = await db.$queryRaw<{ there: boolean }[]>`
      SELECT to_regclass('pgboss.archive') IS NOT NULL AS there`
    known.there = rows[0]?.there === true
  }
  return known.there
}

/** Returns whether a queue exists. Each has its own partition of the table of jobs; without it, an insert fails. */
async function isMade(db: Db, queue: string): Promise<boolean> {
  const made = remember('queues made', () => new Set<string>())
  if (!made.has(queue) && (await hasQueue(db))) {
    const found = await db.$queryRaw<unknown[]>`SELECT name FROM pgboss.queue WHERE name = ${queue}`
    if (found.length > 0) made.add(queue)
  }
  return made.has(queue)
}

/**
 * Queues jobs as part of a transaction, so that they exist exactly if it commits. A job whose ID is already queued is left as it
 * is. If background work never started, the queue can be missing: then nothing is written, and starting it later finds the work
 * that is due (ADR 0032).
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

/** The state of a queue: how many due jobs wait, and for how long the oldest one. */
type QueueState = { name: string; waiting: number; waitedSeconds: number }

/** pg-boss's own index answers both parts. */
const queuesSql = `
  SELECT q.name, waiting.jobs::int AS waiting,
         coalesce(extract(epoch FROM now() - waiting.since), 0)::float8 AS "waitedSeconds"
    FROM pgboss.queue q, LATERAL (
      SELECT count(*) AS jobs, min(start_after) AS since FROM pgboss.job j
       WHERE j.name = q.name AND j.state < 'active' AND j.start_after <= now()) waiting
   WHERE left(q.name, 2) <> '__' ORDER BY q.name`

/** Returns the state of every queue with one statement; none if background work never ran. */
export async function readQueues(): Promise<QueueState[]> {
  if (!(await hasQueue(prisma()))) return []
  return (await pool().query<QueueState>(queuesSql)).rows
}
