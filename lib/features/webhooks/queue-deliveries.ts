import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { announceChange } from '@/lib/base/live/listener'
import { type AuditRecord, batchListener, type SystemActor } from '@/lib/features/audit/record-event'
import type { WebhookDelivery } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { type AppWebhookEvent, subscriptionsFor, type WebhookEvent, webhookEvents } from './events'

export const deliveryQueue = 'webhook-delivery'

/**
 * The ID of a delivery, and the host of the webhook's URL. Each process limits how many deliveries to the
 * same host run at the same time (`workFairlyByReceiver`).
 */
export type DeliveryJob = { id: string; receiver: string }

/** A message to a webhook. */
export type Message = {
  webhook: { id: string; url: string }
  eventId: string
  event: string
  payload: object
}

/**
 * The minimum delay before the first retry is 10 s, and the minimum doubles with each further retry. pg-boss
 * extends each delay by a random time, up to the length of the minimum. The tenth and last retry is therefore
 * about three to six hours after the first attempt.
 */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/**
 * Stores webhook messages and queues their delivery in the same transaction (ADR 0032). Also announces the
 * new deliveries.
 * @param tx the transaction of the change; for a recorded event, the transaction that records it
 * @returns the deliveries, in the order of the messages
 */
export async function addDeliveries(tx: Db, messages: readonly Message[]): Promise<WebhookDelivery[]> {
  const urls = new Map(messages.map(({ webhook }) => [webhook.id, webhook.url]))
  const data = messages.map(({ webhook, ...message }) => ({ webhookId: webhook.id, ...message }))
  const deliveries = await tx.webhookDelivery.createManyAndReturn({ data })
  await queueDeliveries(
    tx,
    deliveries.map(({ id, webhookId }) => ({ id, url: String(urls.get(webhookId)) })),
  )
  for (const { webhookId } of deliveries) announceChange(`webhook:${webhookId}`)
  return deliveries
}

/**
 * Queues stored deliveries. Each job has the ID of its delivery, so that no delivery is queued twice. Queues
 * nothing if the queue does not exist yet. In this case, `queueDeliveriesWithoutJob` queues the deliveries
 * later.
 * @param deliveries the IDs of the deliveries and the URLs of their webhooks
 */
const queueDeliveries = (db: Db, deliveries: readonly { id: string; url: string }[]): Promise<void> =>
  insertJobs(
    db,
    deliveryQueue,
    deliveries.map(({ id, url }) => {
      const data: DeliveryJob = { id, receiver: new URL(url).host }
      return { id, data, ...retries, expireInSeconds: 60 }
    }),
  )

/** The events that workspace webhooks receive for recorded actions with a different name. */
const renamed: Record<string, WebhookEvent> = {
  'authorization.granted': 'app.authorized',
  'authorization.revoked': 'app.revoked',
  'authorization.revoked_after_token_reuse': 'app.revoked',
  'authorization.revoked_by_app': 'app.revoked',
  'app.revoked_for_everyone': 'app.revoked',
  'oauth_app.transfer_requested': 'app.transfer_requested',
  'oauth_app.transfer_declined': 'app.transfer_declined',
  'oauth_app.transferred': 'app.transferred',
  'workspace.app_policy_changed': 'app.policy_changed',
  'api_token.created': 'token.created',
  'api_token.revoked': 'token.revoked',
}

/**
 * Returns the event that a workspace's webhooks receive for a recorded action, or undefined if there is no
 * such event.
 */
const eventFor = (action: string): WebhookEvent | undefined =>
  renamed[action] ?? (Object.hasOwn(webhookEvents, action) ? (action as WebhookEvent) : undefined)

/**
 * Returns the IDs of the workspaces that a recorded action affects: the workspace in the record or, if there
 * is none, the workspaces that a user selected in an authorization.
 */
const workspacesOf = ({ workspaceId, details }: AuditRecord): string[] =>
  workspaceId ? [workspaceId] : Array.isArray(details?.workspaceIds) ? details.workspaceIds.map(String) : []

/**
 * The events that an app's webhooks receive, by recorded action. No other action sends an event to an app's
 * webhooks.
 */
const appEvents: Record<string, AppWebhookEvent> = {
  'authorization.granted': 'app.authorized',
  'authorization.updated': 'app.authorization_updated',
  'authorization.revoked': 'app.revoked',
  'authorization.revoked_after_token_reuse': 'app.revoked',
  'authorization.revoked_by_app': 'app.revoked',
  'app.revoked_for_everyone': 'app.revoked',
  'app.installed': 'app.installed',
  'app.suspended': 'app.suspended',
  'app.resumed': 'app.resumed',
  'app.uninstalled': 'app.uninstalled',
  'app.managed': 'app.managed',
  'app.unmanaged': 'app.unmanaged',
}

/**
 * Returns an app's webhook event for a recorded action, with the app's client ID and the data to send. The
 * data contains the client ID and, if the action concerns scopes, the scopes. For an authorization, the data
 * also contains the authorizing user. For other actions, the data contains the workspace and, if the action
 * concerns an installation, that installation. The data never contains the acting admin. See ADR 0022.
 * @param userId the user who performed the action; for an authorization, the user who granted it
 * @returns undefined if an app's webhooks receive no event for the action
 */
function dataForApp({ action, resource, workspaceId, details }: AuditRecord, userId: string | null) {
  const event = appEvents[action]
  if (!event) return undefined
  const { clientId = resource.id, scopes, installationId = null } = details ?? {}
  const ofUser = resource.type === 'authorization'
  return {
    event,
    clientId: String(clientId),
    data: {
      clientId: String(clientId),
      userId: ofUser ? userId : null,
      workspaceId: ofUser ? null : (workspaceId ?? null),
      installationId: typeof installationId === 'string' ? installationId : null,
      scopes: Array.isArray(scopes) ? scopes.map(String) : null,
    },
  }
}

/**
 * Queues messages about events that were just recorded. The messages go to the enabled webhooks of workspaces
 * and enabled apps that subscribe to the events. Uses the same transaction as the events. Therefore, an
 * event that is rolled back is never sent, and a committed event is sent even if the process ends
 * immediately. See ADR 0032 and, for app webhooks, ADR 0022.
 */
export const queueWebhooks = batchListener(async (tx, actor, recorded) => {
  const events = recorded.map(({ record }) => {
    const event = eventFor(record.action)
    const workspaceIds = event ? workspacesOf(record) : []
    return { record, event, workspaceIds, toApp: dataForApp(record, actor.userId ?? null) }
  })
  const wanted = events.flatMap(({ event, workspaceIds, toApp }) => [
    ...(event && workspaceIds.length > 0
      ? [{ clientId: null, workspaceId: { in: workspaceIds }, events: { hasSome: subscriptionsFor(event) } }]
      : []),
    ...(toApp
      ? [
          {
            clientId: toApp.clientId,
            client: { disabledAt: null },
            events: { hasSome: [toApp.event, 'app.*'] },
          },
        ]
      : []),
  ])
  if (wanted.length === 0) return
  const different = [...new Map(wanted.map((each) => [JSON.stringify(each), each])).values()]
  const webhooks = await tx.webhook.findMany({
    where: { disabledAt: null, OR: different },
    select: { id: true, url: true, workspaceId: true, clientId: true, events: true },
  })
  if (webhooks.length === 0) return
  const timestamp = new Date().toISOString()
  const messages = events.flatMap(({ record, event, workspaceIds, toApp }) => {
    const eventId = crypto.randomUUID()
    return webhooks.flatMap(({ id, url, workspaceId, clientId, events: subscribed }): Message[] => {
      const has = (names: string[]) => names.some((name) => subscribed.includes(name))
      const webhook = { id, url }
      if (clientId !== null) {
        if (clientId !== toApp?.clientId || !has([toApp.event, 'app.*'])) return []
        const payload = { type: toApp.event, timestamp, data: toApp.data }
        return [{ webhook, eventId, event: toApp.event, payload }]
      }
      if (!event || !workspaceIds.includes(workspaceId) || !has(subscriptionsFor(event))) return []
      const payload = { type: event, timestamp, data: dataForWorkspace(workspaceId, actor, record) }
      return [{ webhook, eventId, event, payload }]
    })
  })
  if (messages.length > 0) await addDeliveries(tx, messages)
})

const dataForWorkspace = (workspaceId: string, actor: Actor | SystemActor, record: AuditRecord) => ({
  workspaceId,
  resource: record.resource,
  actor: {
    kind: actor.kind,
    userId: actor.userId ?? null,
    id: (actor.kind === 'system' ? actor.clientId : actorHandle(actor)) ?? null,
  },
  // For an authorization, send only the client ID. The recorded details contain all selected workspaces, and
  // a workspace's webhook must not reveal the other workspaces.
  details: record.workspaceId ? (record.details ?? {}) : { clientId: record.details?.clientId ?? null },
})

const portion = 200

const findUnqueued = statement<{ id: string; url: string }, [after: string]>(
  'webhook-deliveries-unqueued',
  `SELECT delivery.id, webhook.url FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id
    WHERE delivery.status = 'PENDING' AND delivery.id > $1
      AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE name = '${deliveryQueue}' AND id = delivery.id)
    ORDER BY delivery.id LIMIT ${portion}`,
)

/**
 * Queues pending deliveries that have no job, for example because they were stored before background work
 * first started on this database.
 */
export async function queueDeliveriesWithoutJob(): Promise<void> {
  for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last; ) {
    const found: { id: string; url: string }[] = await findUnqueued(last)
    await queueDeliveries(prisma(), found)
    last = found[portion - 1]?.id
  }
}

/** The time limit for one cleanup run, in milliseconds. The next run deletes the remaining deliveries. */
const longestMs = 10 * 60_000

const old = {
  table: 'webhook_deliveries',
  key: 'id',
  where: `created_at < now() - interval '30 days'`,
}

/**
 * Deletes deliveries that are older than 30 days, until all are deleted or `longestMs` have passed.
 * @returns the number of deleted deliveries
 */
export const forgetDeliveries = (): Promise<number> =>
  withLongTimeout((db) => deleteInBatches(old, performance.now() + longestMs, db))
