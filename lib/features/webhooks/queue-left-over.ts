import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { deliveryQueue, queueDeliveries } from './add-deliveries'

const portion = 200

const findUnqueued = statement<{ id: string; url: string }, [after: string]>(
  'webhook-deliveries-unqueued',
  `SELECT delivery.id, webhook.url FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id
    WHERE delivery.status = 'PENDING' AND delivery.id > $1
      AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE name = '${deliveryQueue}' AND id = delivery.id)
    ORDER BY delivery.id LIMIT ${portion}`,
)

/**
 * Queues deliveries that have no job: those stored before background work first started on this database, or by an earlier
 * release that queued them later.
 */
export async function queueLeftOver(): Promise<void> {
  for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last; ) {
    const found: { id: string; url: string }[] = await findUnqueued(last)
    await queueDeliveries(prisma(), found)
    last = found[portion - 1]?.id
  }
}
