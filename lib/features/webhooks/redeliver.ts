import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import type { Feed } from '@/lib/base/live/follow'
import type { Webhook, WebhookDelivery } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { addDeliveries } from './queue-deliveries'

/**
 * Returns a webhook after checking a permission in its workspace.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function requireWebhook(
  actor: Actor,
  id: string,
  permission: 'workspace:manage-webhooks' | 'workspace:manage-secrets' = 'workspace:manage-webhooks',
): Promise<Webhook> {
  const unknown = new AppError('NOT_FOUND', 'The webhook was not found, or you don’t have access to it.', {
    resource: { type: 'webhook', id },
  })
  const webhook = isId(id) ? await prisma().webhook.findUnique({ where: { id } }) : null
  if (!webhook) throw unknown
  // Replace a NOT_FOUND error, because it would reveal the workspace's ID to a caller who cannot see the
  // workspace.
  await requireWorkspace(actor, permission, webhook.workspaceId, { type: 'webhook', id }).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
  })
  return webhook
}

/** The event of test messages. Webhooks cannot subscribe to this event. */
export const testEvent = 'webhook.test'

/**
 * Queues a test message to a webhook and returns its delivery. Requires `workspace:manage-webhooks`.
 * @throws AppError CONFLICT for a disabled webhook, and the errors of `requireWebhook`
 */
export async function sendTestMessage(actor: Actor, webhookId: string): Promise<WebhookDelivery> {
  const { id, url, workspaceId, disabledAt } = await requireWebhook(actor, webhookId)
  if (disabledAt) throw disabled()
  const message = {
    webhook: { id, url },
    eventId: crypto.randomUUID(),
    event: testEvent,
    payload: {
      type: testEvent,
      timestamp: new Date().toISOString(),
      data: {
        workspaceId,
        resource: { type: 'webhook', id },
        actor: { kind: actor.kind, userId: actor.userId, id: actorHandle(actor) ?? null },
        details: {},
      },
    },
  }
  const [sent] = await prisma().$transaction((tx) => addDeliveries(tx, [message]))
  return sent as WebhookDelivery
}

const disabled = () => new AppError('CONFLICT', 'This webhook is disabled. Enable it first.')

/**
 * Queues a message again as a new delivery with the same event ID and payload, and returns the new delivery.
 * Requires `workspace:manage-webhooks`.
 * @throws AppError CONFLICT for a disabled webhook, NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function redeliver(actor: Actor, deliveryId: string): Promise<WebhookDelivery> {
  const unknown = new AppError('NOT_FOUND', 'The delivery was not found, or you don’t have access to it.', {
    resource: { type: 'webhook_delivery', id: deliveryId },
  })
  const delivery = isId(deliveryId)
    ? await prisma().webhookDelivery.findUnique({ where: { id: deliveryId } })
    : null
  if (!delivery) throw unknown
  const webhook = await requireWebhook(actor, delivery.webhookId).catch((error) => {
    throw error.code === 'NOT_FOUND' ? unknown : error
  })
  if (webhook.disabledAt) throw disabled()
  const { eventId, event, payload } = delivery
  const again = { webhook, eventId, event, payload: payload as object }
  const [sent] = await prisma().$transaction((tx) => addDeliveries(tx, [again]))
  return sent as WebhookDelivery
}

/**
 * Returns a feed of a webhook's deliveries. The feed contains each new delivery, and contains it again after
 * its status or its number of attempts changes. Requires `workspace:manage-webhooks`. The feed throws the
 * errors of `requireWebhook`.
 */
export const followDeliveries = (webhookId: string): Feed<Actor, WebhookDelivery> => ({
  topic: `webhook:${webhookId}`,
  allow: (actor) => requireWebhook(actor, webhookId),
  read: (_actor, { from, without, besides }, limit) =>
    prisma().webhookDelivery.findMany({
      where: { webhookId, OR: [{ id: { gte: from, notIn: without } }, { id: { in: besides } }] },
      orderBy: { id: 'asc' },
      take: limit,
    }),
  stateOf: ({ status, attempts }) => ({ state: `${status} ${attempts}`, isLast: status !== 'PENDING' }),
})
