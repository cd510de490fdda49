import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statement'
import { type StopWork, workFairly } from '@/lib/base/jobs/workers'
import { repeat } from '@/lib/base/process/background'
import { type LogoutJob, logoutJob, logoutQueue } from './logout-job'
import { type LogoutTokenMaker, tellApp } from './tell-app'

/** Returns ended sign-ins whose apps have not been notified. */
const findEnded = statement<{ id: string; clientId: string }, []>(
  'app-sign-ins-ended',
  `SELECT id, client_id AS "clientId" FROM app_sign_ins
    WHERE ended_at IS NOT NULL AND queued_at IS NULL ORDER BY ended_at LIMIT 200`,
)

const markQueued = statement<never, [ids: string[]]>(
  'app-sign-ins-queued',
  'UPDATE app_sign_ins SET queued_at = now() WHERE id = ANY($1::uuid[])',
)

/**
 * Moves sign-ins that ended into the queue. A job has the sign-in's id, so that two replicas that do this at once, or one
 * that ends half-way, queue it once all the same.
 */
async function queueEnded(boss: PgBoss): Promise<void> {
  const ended = await findEnded()
  if (ended.length === 0) return
  await boss.insert(
    ended.map(({ id, clientId }) => ({ name: logoutQueue, ...logoutJob(id, clientId, { id }) })),
  )
  await markQueued(ended.map(({ id }) => id))
}

/**
 * Notifies apps of sign-outs from the queue until the process ends. An app that does not respond delays only its own
 * notifications. A job that fails for good stays in the instance admin's list of failed jobs.
 * @param boss started
 * @returns stops, as `workFairly`
 */
export async function runLogouts(boss: PgBoss, makeToken: LogoutTokenMaker): Promise<StopWork> {
  const stop = await workFairly<LogoutJob>(boss, logoutQueue, { longestMs: 45_000 }, ({ data, isLast }) =>
    tellApp(data, isLast, makeToken).then(
      () => undefined,
      ({ message }: Error) => ({ retry: message }),
    ),
  )
  const stopQueueing = repeat('queueing sign-outs', () => queueEnded(boss))
  return (graceMs) => {
    stopQueueing()
    return stop(graceMs)
  }
}
