import type PgBoss from 'pg-boss'
import { deliveryQueue } from './add-deliveries'
import { deliver } from './deliver'
import { queueLeftOver } from './queue-left-over'

/**
 * Delivers from the queue, several at a time, until the queue ends.
 * @param boss started
 */
export async function runDeliveries(boss: PgBoss): Promise<void> {
  await boss.createQueue(deliveryQueue)
  await queueLeftOver()
  await boss.work<{ id: string }>(
    deliveryQueue,
    { batchSize: 20, pollingIntervalSeconds: 1, includeMetadata: true },
    async (jobs: PgBoss.JobWithMetadata<{ id: string }>[]) => {
      await Promise.all(
        jobs.map(async (job) => {
          const outcome = await deliver(job.data.id, job.retryCount >= job.retryLimit)
          // The others of the batch are not to be tried again with this one.
          if (outcome === 'again') await boss.fail(deliveryQueue, job.id)
        }),
      )
    },
  )
}
