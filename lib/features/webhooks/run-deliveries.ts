import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statement'
import { repeat } from '@/lib/base/process/repeat'
import { deliver } from './deliver'

const queue = 'webhook-delivery'

/** 10 s, doubling: the tenth and last retry comes after about three hours. */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/** Deliveries written down that nobody has put in the queue yet. */
const findWaiting = statement<{ id: string }, []>(
  'webhook-deliveries-waiting',
  `SELECT id FROM webhook_deliveries WHERE status = 'PENDING' AND next_attempt_at IS NULL ORDER BY id LIMIT 200`,
)

const markQueued = statement<never, [ids: string[]]>(
  'webhook-deliveries-queued',
  'UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = ANY($1::uuid[])',
)

/**
 * Moves what was written down into the queue. A job has the delivery's id, so that two replicas that do this at once, or
 * one that ends half-way, queue it once all the same.
 * @returns how many were moved
 */
export async function queueWaiting(boss: PgBoss): Promise<number> {
  const waiting = await findWaiting()
  if (waiting.length === 0) return 0
  await boss.insert(
    waiting.map(({ id }) => ({ id, name: queue, data: { id }, ...retries, expireInSeconds: 60 })),
  )
  await markQueued(waiting.map(({ id }) => id))
  return waiting.length
}

/**
 * Delivers from the queue, several at a time, until the process ends.
 * @param boss started
 * @returns stops moving deliveries into the queue; the queue itself ends with `boss`
 */
export async function runDeliveries(boss: PgBoss): Promise<() => void> {
  await boss.createQueue(queue)
  await boss.work<{ id: string }>(
    queue,
    { batchSize: 20, pollingIntervalSeconds: 1, includeMetadata: true },
    async (jobs: PgBoss.JobWithMetadata<{ id: string }>[]) => {
      await Promise.all(
        jobs.map(async (job) => {
          const outcome = await deliver(job.data.id, job.retryCount >= job.retryLimit)
          // The others of the batch are not to be tried again with this one.
          if (outcome === 'again') await boss.fail(queue, job.id)
        }),
      )
    },
  )
  return repeat('queueing webhooks', () => queueWaiting(boss))
}
