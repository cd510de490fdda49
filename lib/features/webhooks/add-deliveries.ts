import type { Db } from '@/lib/base/db/prisma'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { ring } from '@/lib/base/live/listener'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'

export const deliveryQueue = 'webhook-delivery'

/** A delivery, and the host it goes to, by which deliveries share a process (`workFairly`). */
export type DeliveryJob = { id: string; receiver: string }

/** One message to one webhook. */
export type Message = {
  webhook: { id: string; url: string }
  eventId: string
  event: string
  payload: object
}

/** 10 s, doubling: the tenth and last retry comes after about three hours. */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/**
 * Stores messages to webhooks and queues them in one transaction (decision 024).
 * @param tx the transaction of the event that the messages report
 * @returns the deliveries, in the order given
 */
export async function addDeliveries(tx: Db, messages: readonly Message[]): Promise<WebhookDelivery[]> {
  const urls = new Map(messages.map(({ webhook }) => [webhook.id, webhook.url]))
  const data = messages.map(({ webhook, ...message }) => ({ webhookId: webhook.id, ...message }))
  const deliveries = await tx.webhookDelivery.createManyAndReturn({ data })
  await queueDeliveries(
    tx,
    deliveries.map(({ id, webhookId }) => ({ id, url: String(urls.get(webhookId)) })),
  )
  for (const { webhookId } of deliveries) ring(`webhook:${webhookId}`)
  return deliveries
}

/** Queues stored deliveries, each under its own ID, so that none is queued twice. @param deliveries `url`: the webhook's */
export const queueDeliveries = (db: Db, deliveries: readonly { id: string; url: string }[]): Promise<void> =>
  insertJobs(
    db,
    deliveryQueue,
    deliveries.map(({ id, url }) => {
      const data: DeliveryJob = { id, receiver: new URL(url).host }
      return { id, data, ...retries, expireInSeconds: 60 }
    }),
  )
