import { prisma } from '@/lib/base/db/prisma'
import type { Feed } from '@/lib/base/live/follow'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWebhook } from './require-webhook'

/**
 * What a webhook is sent, to be followed: each message when it is written down, and again after every try. It takes
 * `workspace:manage-webhooks`, and refuses as `requireWebhook`.
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
