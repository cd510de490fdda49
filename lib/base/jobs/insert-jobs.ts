import PgBoss from 'pg-boss'
import { pool } from '@/lib/base/db/pool'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'

/** Writes jobs and runs none; that is for the process that started the queue (`startJobs`). */
const writer = () => remember('job writer', () => new PgBoss({ db: throughPrisma(prisma()) }))

const throughPrisma = (db: Db): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await db.$queryRawUnsafe<unknown[]>(text, ...values) }),
})

/** Whether background work ever started on this database. It stays true, so that nobody asks again. */
export async function hasQueue(db: Db): Promise<boolean> {
  const known = remember('job queue', () => ({ there: false }))
  if (!known.there) {
    const rows = await db.$queryRaw<{ there: boolean }[]>`
      SELECT to_regclass('pgboss.archive') IS NOT NULL AS there`
    known.there = rows[0]?.there === true
  }
  return known.there
}

/** Whether a queue is there, which has a part of the table of jobs to itself; without it a job is an error of the database. */
async function isMade(db: Db, queue: string): Promise<boolean> {
  const made = remember('queues made', () => new Set<string>())
  if (!made.has(queue) && (await hasQueue(db))) {
    const found = await db.$queryRaw<unknown[]>`SELECT name FROM pgboss.queue WHERE name = ${queue}`
    if (found.length > 0) made.add(queue)
  }
  return made.has(queue)
}

/**
 * Puts jobs into a queue as part of a transaction, so that they are there exactly if it commits. A job whose id is in
 * the queue already is left as it is. Where background work never started to its end there may be no queue yet: nothing is
 * written then, and whoever starts it finds what waits (decision 024).
 * @param db the transaction of whatever the jobs follow from
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
