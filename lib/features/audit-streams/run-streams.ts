import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statement'
import { type StopWork, workFairly } from '@/lib/base/jobs/workers'
import { repeat } from '@/lib/base/process/background'
import { sendWaiting } from './send-waiting'

export const streamQueue = 'audit-stream'

type StreamJob = { placeId: string; receiver?: string }

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
      data: { placeId, receiver: placeId },
      retryLimit: 0,
      expireInSeconds: 120,
    })),
  )
}

/**
 * Sends audit events to streams until the process ends. A stream has one job at a time, so a receiver that does not respond
 * delays only its own stream.
 * @param boss started
 * @returns stops, as `workFairly`
 */
export async function runStreams(boss: PgBoss): Promise<StopWork> {
  const stop = await workFairly<StreamJob>(
    boss,
    streamQueue,
    { perReceiver: 1, longestMs: 110_000 },
    async ({ id, data }) => {
      await sendWaiting(data.placeId, id)
      return undefined
    },
  )
  const stopQueueing = repeat('queueing audit streams', () => queueDue(boss))
  return (graceMs) => {
    stopQueueing()
    return stop(graceMs)
  }
}
