import type PgBoss from 'pg-boss'
import { type StopWork, workFairly } from '@/lib/base/jobs/workers'
import { type DeliveryJob, deliveryQueue } from './add-deliveries'
import { deliver } from './deliver'
import { queueLeftOver } from './queue-left-over'

/**
 * Delivers messages to webhooks from the queue until the process ends. A receiver that does not respond delays only its
 * own messages.
 * @param boss started
 * @returns stops, as `workFairly`
 */
export async function runDeliveries(boss: PgBoss): Promise<StopWork> {
  const stop = await workFairly<DeliveryJob>(
    boss,
    deliveryQueue,
    { longestMs: 45_000 },
    async ({ id, isLast }) => {
      const outcome = await deliver(id, isLast)
      return outcome === 'again' ? { retry: 'The delivery failed. The webhook’s log says why.' } : undefined
    },
  )
  await queueLeftOver()
  return stop
}
