import { pagesByParent } from '@/lib/base/db/lists'
import { type CountedSlice, cutPage, inOrderOf, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { badInput } from '@/lib/base/errors/app-error'
import { unknownName } from '@/lib/base/errors/input'
import type { Webhook, WebhookDelivery } from '@/lib/generated/prisma/client'
import type { DeliveryStatus } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { appWebhookEvents, eventsOf, webhookEvents } from './events'
import { requireWebhook, testEvent } from './redeliver'

/**
 * Returns a workspace's own webhooks or the webhooks of one of its apps, oldest first. The list is not
 * paginated, because the number of webhooks is limited. Requires `workspace:manage-webhooks`.
 * @param clientId the ID of the app, or null for the workspace's own webhooks
 * @throws the errors of `requireWorkspace`
 */
export async function listWebhooks(
  actor: Actor,
  workspaceId: string,
  clientId: string | null = null,
): Promise<Webhook[]> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  return prisma().webhook.findMany({
    where: { workspaceId: workspace.id, clientId },
    orderBy: { id: 'asc' },
  })
}

/**
 * Returns a list of webhooks for each of several apps, in the order of the IDs. Each list begins with the
 * oldest webhook. The caller must first check `workspace:manage-apps` for each app.
 */
export async function webhooksOfApps(clientIds: readonly string[]): Promise<Webhook[][]> {
  const rows = await prisma().webhook.findMany({
    where: { clientId: { in: [...clientIds] } },
    orderBy: { id: 'asc' },
  })
  return inOrderOf(clientIds, rows, ({ clientId }) => clientId ?? '')
}

/**
 * Returns one page of a workspace's webhooks, oldest first. Includes the webhooks of the workspace's apps.
 * @throws the errors of `listWebhooks`
 */
export async function pageWebhooks(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<CountedSlice<Webhook>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  const { bounds, ...window } = keysetQuery(page)
  const where = { workspaceId: workspace.id }
  const rows = await prisma().webhook.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().webhook.count({ where }) }
}

/**
 * Functions that read one page of each of several workspaces' webhooks, oldest first, and that count the
 * webhooks. Include the webhooks of the workspaces' apps. The caller must first check
 * `workspace:manage-webhooks` for each workspace.
 */
export const webhooksOf = pagesByParent('webhooks-of', { table: 'webhooks', parent: 'workspace_id' }, (ids) =>
  prisma().webhook.findMany({ where: { id: { in: ids } } }),
)

/**
 * Functions that read one page of each of several webhooks' deliveries, latest first, and that count the
 * deliveries. The caller must first check the permission for each webhook.
 */
export const deliveriesOf = pagesByParent(
  'deliveries-of',
  { table: 'webhook_deliveries', parent: 'webhook_id', order: 'desc' },
  (ids) => prisma().webhookDelivery.findMany({ where: { id: { in: ids } } }),
)

/** The filter for deliveries. A field that is omitted or null matches all deliveries. */
type DeliveryFilter = { status?: DeliveryStatus | null; event?: string | null }

/**
 * Returns one page of a webhook's deliveries that match a filter, latest first. Requires
 * `workspace:manage-webhooks`.
 * @throws AppError BAD_USER_INPUT (an event that the webhook cannot receive), and the errors of
 * `requireWebhook`
 */
export async function listDeliveries(
  actor: Actor,
  webhookId: string,
  page: Page,
  { status, event }: DeliveryFilter = {},
): Promise<CountedSlice<WebhookDelivery>> {
  const webhook = await requireWebhook(actor, webhookId)
  const events = Object.keys(webhook.clientId === null ? webhookEvents : appWebhookEvents)
  const problem = event ? unknownName('event', event, [...events, testEvent]) : undefined
  if (problem) throw badInput('event', problem)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const where = { webhookId: webhook.id, status: status ?? undefined, event: event ?? undefined }
  const rows = await prisma().webhookDelivery.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().webhookDelivery.count({ where }) }
}

type LastDelivery = Pick<WebhookDelivery, 'status' | 'attempts' | 'responseStatus' | 'createdAt'>

/**
 * A webhook without its secrets. `events` contains current event names, and `last` is the latest delivery, or
 * undefined if there is none.
 */
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
 * Returns the webhooks from `listWebhooks` whose URL or events contain a text, each with its latest delivery.
 * Requires `workspace:manage-webhooks`.
 * @param text the text to find, regardless of case and surrounding spaces; an empty text matches all webhooks
 * @throws the errors of `requireWorkspace`
 */
export async function listWebhookStates(
  actor: Actor,
  workspaceId: string,
  { clientId, text = '' }: { clientId?: string; text?: string } = {},
): Promise<WebhookState[]> {
  const part = text.trim().toLowerCase()
  const webhooks = (await listWebhooks(actor, workspaceId, clientId)).filter((webhook) =>
    [webhook.url, ...eventsOf(webhook)].some((each) => each.toLowerCase().includes(part)),
  )
  const rows = webhooks.length > 0 ? await lastDeliveries(webhooks.map(({ id }) => id)) : []
  const last = new Map(rows.map((row) => [row.webhookId, row]))
  return webhooks.map(({ id, url, events, disabledAt }) => ({
    id,
    url,
    events: eventsOf({ events }),
    disabledAt,
    last: last.get(id),
  }))
}
