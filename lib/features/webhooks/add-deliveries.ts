import type { Db } from '@/lib/base/db/prisma'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { ring } from '@/lib/base/live/ring'
import type { Prisma, WebhookDelivery } from '@/lib/generated/prisma/client'

export const deliveryQueue = 'webhook-delivery'

/** 10 s, doubling: the tenth and last retry comes after about three hours. */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/**
 * Writes down what is to be sent to webhooks, and queues it, in one transaction (decision 024).
 * @param tx the transaction of what the messages are about
 * @returns the deliveries, in the order given
 */
export async function addDeliveries(
  tx: Db,
  data: Prisma.WebhookDeliveryCreateManyInput[],
): Promise<WebhookDelivery[]> {
  const deliveries = await tx.webhookDelivery.createManyAndReturn({ data })
  await queueDeliveries(
    tx,
    deliveries.map(({ id }) => id),
  )
  for (const { webhookId } of deliveries) ring(`webhook:${webhookId}`)
  return deliveries
}

/** Queues deliveries that are written down, each under its own id, so that none is queued twice. */
export const queueDeliveries = (db: Db, ids: readonly string[]): Promise<void> =>
  insertJobs(
    db,
    deliveryQueue,
    ids.map((id) => ({ id, data: { id }, ...retries, expireInSeconds: 60 })),
  )
