import { prisma } from '@/lib/base/db/prisma'
import type { Feed } from '@/lib/base/live/follow'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWebhook } from './require-webhook'

/**
 * What a webhook is sent, to be followed: each message when it is written down, and again after every try. Reading takes
 * `workspace:manage-webhooks`, and throws as `requireWebhook`.
 */
export const followDeliveries = (webhookId: string): Feed<Actor, WebhookDelivery> => ({
  topic: `webhook:${webhookId}`,
  read: async (actor, { from, without, besides }, limit) => {
    const { id } = await requireWebhook(actor, webhookId)
    const rows = await prisma().webhookDelivery.findMany({
      where: {
        webhookId: id,
        OR: [{ id: { gte: from, notIn: without } }, { id: { in: besides } }],
      },
      orderBy: { id: 'asc' },
      take: limit,
    })
    // What was written after the rights went is not told, not even when they went between the two statements.
    if (rows.length > 0) await requireWebhook(actor, webhookId)
    return rows
  },
  stateOf: ({ status, attempts }) => ({ state: `${status} ${attempts}`, isLast: status !== 'PENDING' }),
})
