import { randomUUID } from 'node:crypto'
import type { Db } from '@/lib/base/db/prisma'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { logoutJob, logoutQueue } from './logout-job'

/**
 * Has the apps to which people are signed in told that they are signed out, for their accounts are about to be deleted. Sessions
 * and sign-ins go with a person, so what is to be said is queued in the transaction that deletes them; also what an app has
 * not heard yet of a sign-out before.
 * @param tx the transaction
 */
export async function tellOfDeletion(tx: Db, userIds: readonly string[]): Promise<void> {
  // A sign-in of this moment is recorded already, or waits for the session's row (record-sign-in.ts) and then finds none.
  await tx.$queryRaw`SELECT id FROM sessions WHERE user_id = ANY(${userIds}::uuid[]) ORDER BY id FOR UPDATE`
  const signIns = await tx.appSignIn.findMany({
    where: { session: { userId: { in: [...userIds] } } },
    select: { clientId: true, sid: true, session: { select: { userId: true } } },
  })
  const jobs = signIns.map(({ clientId, sid, session: { userId } }) =>
    logoutJob(randomUUID(), clientId, { signIn: { clientId, userId, sid } }),
  )
  await insertJobs(tx, logoutQueue, jobs)
}
