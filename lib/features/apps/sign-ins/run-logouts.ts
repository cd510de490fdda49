import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statement'
import { repeat } from '@/lib/base/process/repeat'
import { type LogoutJob, logoutJob, logoutQueue } from './logout-job'
import { type LogoutTokenMaker, tellApp } from './tell-app'

/** Sign-ins that ended and whose apps nobody has begun to tell. */
const findEnded = statement<{ id: string }, []>(
  'app-sign-ins-ended',
  'SELECT id FROM app_sign_ins WHERE ended_at IS NOT NULL AND queued_at IS NULL ORDER BY ended_at LIMIT 200',
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
  await boss.insert(ended.map(({ id }) => ({ name: logoutQueue, ...logoutJob(id, { id }) })))
  await markQueued(ended.map(({ id }) => id))
}

/**
 * Tells apps of sign-outs from the queue, several at a time, until the process ends. What failed for good stays with the
 * operator's failed jobs, to be tried again by hand.
 * @param boss started
 * @returns stops moving sign-ins into the queue; the queue itself ends with `boss`
 */
export async function runLogouts(boss: PgBoss, makeToken: LogoutTokenMaker): Promise<() => void> {
  await boss.createQueue(logoutQueue)
  await boss.work<LogoutJob>(
    logoutQueue,
    { batchSize: 20, pollingIntervalSeconds: 1, includeMetadata: true },
    async (jobs: PgBoss.JobWithMetadata<LogoutJob>[]) => {
      await Promise.all(
        jobs.map(({ id, data, retryCount, retryLimit }) =>
          // The others of the batch are not to be tried again with this one.
          tellApp(data, retryCount >= retryLimit, makeToken).catch(({ message }: Error) =>
            boss.fail(logoutQueue, id, { message }),
          ),
        ),
      )
    },
  )
  return repeat('queueing sign-outs', () => queueEnded(boss))
}
