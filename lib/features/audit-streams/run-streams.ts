import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statement'
import { repeat } from '@/lib/base/process/repeat'
import { sendWaiting } from './send-waiting'

export const streamQueue = 'audit-stream'

/**
 * Streams that have something to send and may; each is given to a new job. Until that job has shown signs of life for two
 * minutes no other is made, and a replica that asks at the same moment finds it taken.
 */
const takeDue = statement<{ placeId: string; jobId: string }, []>(
  'audit-streams-due',
  `UPDATE audit_streams s SET job_id = gen_random_uuid(), next_at = now() + interval '2 minutes'
    WHERE disabled_at IS NULL AND next_at <= now()
      AND EXISTS (SELECT 1 FROM audit_waiting w WHERE w.place_id = s.place_id)
    RETURNING place_id AS "placeId", job_id AS "jobId"`,
)

/** Makes a job for each stream that has something to send. */
async function queueDue(boss: PgBoss): Promise<void> {
  const due = await takeDue()
  if (due.length === 0) return
  await boss.insert(
    due.map(({ placeId, jobId }) => ({
      id: jobId,
      name: streamQueue,
      data: { placeId },
      retryLimit: 0,
      expireInSeconds: 120,
    })),
  )
}

/**
 * Sends what waits for audit streams, several streams at a time, until the process ends.
 * @param boss started
 * @returns stops making jobs; the queue itself ends with `boss`
 */
export async function runStreams(boss: PgBoss): Promise<() => void> {
  await boss.createQueue(streamQueue)
  await boss.work<{ placeId: string }>(
    streamQueue,
    { batchSize: 20, pollingIntervalSeconds: 1 },
    async (jobs: PgBoss.Job<{ placeId: string }>[]) => {
      // What one of them threw must not have the others tried again: each stream gets its next job anyway.
      const outcomes = await Promise.allSettled(jobs.map(({ id, data }) => sendWaiting(data.placeId, id)))
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed) throw failed.reason
    },
  )
  return repeat('queueing audit streams', () => queueDue(boss))
}
