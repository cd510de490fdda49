import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import { addDeliveries } from './add-deliveries'
import { requireWebhook } from './require-webhook'

/**
 * Sends a message again, as a delivery of its own with the same event id and payload. Takes `workspace:manage-webhooks`.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function redeliver(actor: Actor, deliveryId: string): Promise<WebhookDelivery> {
  const unknown = new AppError('NOT_FOUND', 'There is no such delivery, or you cannot see it.', {
    resource: { type: 'webhook_delivery', id: deliveryId },
  })
  const delivery = isId(deliveryId)
    ? await prisma().webhookDelivery.findUnique({ where: { id: deliveryId } })
    : null
  if (!delivery) throw unknown
  const webhook = await requireWebhook(actor, delivery.webhookId).catch((error) => {
    throw error.code === 'NOT_FOUND' ? unknown : error
  })
  const { eventId, event, payload } = delivery
  const again = { webhook, eventId, event, payload: payload as object }
  const [sent] = await prisma().$transaction((tx) => addDeliveries(tx, [again]))
  return sent as WebhookDelivery
}
