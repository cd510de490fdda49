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
    const webhook = await requireWebhook(actor, webhookId)
    return prisma().webhookDelivery.findMany({
      where: {
        webhookId: webhook.id,
        OR: [{ id: { gte: from, notIn: without } }, { id: { in: besides } }],
      },
      orderBy: { id: 'asc' },
      take: limit,
    })
  },
  stateOf: ({ status, attempts }) => ({ state: `${status} ${attempts}`, isLast: status !== 'PENDING' }),
})
