import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { addDeliveries } from './add-deliveries'
import { requireWebhook } from './require-webhook'

/** The event of a message that says nothing but that messages arrive. Nobody subscribes to it. */
export const testEvent = 'webhook.test'

/**
 * Sends a webhook a message of the usual form that stands for nothing, to see whether it arrives. Takes `workspace:manage-webhooks`.
 * @throws AppError CONFLICT for a webhook that is switched off, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function sendTestMessage(actor: Actor, webhookId: string): Promise<WebhookDelivery> {
  const { id, url, workspaceId, disabledAt } = await requireWebhook(actor, webhookId)
  if (disabledAt) throw new AppError('CONFLICT', 'This webhook is switched off. Switch it on first.')
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
