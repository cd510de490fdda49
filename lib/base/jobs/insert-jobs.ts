import PgBoss from 'pg-boss'
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

/**
 * Puts jobs into the queue as part of a transaction, so that they are there exactly if it commits. A job whose id is in
 * the queue already is left as it is. Where no background work ever started there is no queue yet: nothing is written
 * then, and whoever starts it finds what waits (decision 024).
 * @param db the transaction of whatever the jobs follow from
 */
export async function insertJobs(db: Db, jobs: PgBoss.JobInsert[]): Promise<void> {
  if (jobs.length === 0 || !(await hasQueue(db))) return
  await writer().insert(jobs, { db: throughPrisma(db) })
}
