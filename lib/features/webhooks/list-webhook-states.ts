import { statement } from '@/lib/base/db/statement'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { listWebhooks } from './list-webhooks'

type LastDelivery = Pick<WebhookDelivery, 'status' | 'attempts' | 'responseStatus' | 'createdAt'>

/** A webhook without its secrets, and what it was sent last. */
export type WebhookState = {
  id: string
  url: string
  events: string[]
  disabledAt: Date | null
  last: LastDelivery | undefined
}

const lastDeliveries = statement<LastDelivery & { webhookId: string }, [ids: string[]]>(
  'last-webhook-deliveries',
  `SELECT webhook.id AS "webhookId", last.status, last.attempts, last.response_status AS "responseStatus",
          last.created_at AS "createdAt"
   FROM unnest($1::uuid[]) AS webhook (id)
   CROSS JOIN LATERAL
     (SELECT * FROM webhook_deliveries WHERE webhook_id = webhook.id ORDER BY id DESC LIMIT 1) AS last`,
)

/**
 * The webhooks of a workspace whose addresses or events hold a text, oldest first, each with its last delivery; there are never
 * many. Takes `workspace:manage-webhooks`.
 * @param text anything; empty for all of them
 * @throws as `listWebhooks`
 */
export async function listWebhookStates(
  actor: Actor,
  workspaceId: string,
  text = '',
): Promise<WebhookState[]> {
  const part = text.trim().toLowerCase()
  const webhooks = (await listWebhooks(actor, workspaceId)).filter(({ url, events }) =>
    [url, ...events].some((each) => each.toLowerCase().includes(part)),
  )
  const rows = webhooks.length > 0 ? await lastDeliveries(webhooks.map(({ id }) => id)) : []
  const last = new Map(rows.map((row) => [row.webhookId, row]))
  return webhooks.map(({ id, url, events, disabledAt }) => ({
    id,
    url,
    events,
    disabledAt,
    last: last.get(id),
  }))
}
