import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { deliveryQueue, queueDeliveries } from './add-deliveries'

const portion = 200

const findUnqueued = statement<{ id: string }, [after: string]>(
  'webhook-deliveries-unqueued',
  `SELECT id FROM webhook_deliveries delivery
    WHERE status = 'PENDING' AND id > $1
      AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE name = '${deliveryQueue}' AND id = delivery.id)
    ORDER BY id LIMIT ${portion}`,
)

/**
 * Queues deliveries that no job stands for: those written down before background work first started on this database, or
 * by a process of a release that left the queueing to others.
 */
export async function queueLeftOver(): Promise<void> {
  for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last; ) {
    const ids: string[] = (await findUnqueued(last)).map(({ id }) => id)
    await queueDeliveries(prisma(), ids)
    last = ids[portion - 1]
  }
}
