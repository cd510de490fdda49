import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { addDeliveries } from './add-deliveries'
import { toldToApp } from './app-events'
import { eventFor, subscriptionsFor, workspacesOf } from './events'

/**
 * Queues what webhooks of workspaces and of apps are to be told about an event that was just recorded, in the same transaction:
 * what was rolled back is told to nobody, and what was committed is told even if the process ends now.
 * See decision 024, and for apps decision 195.
 */
export async function tellWebhooks(tx: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const event = eventFor(record.action)
  const workspaceIds = event ? workspacesOf(record) : []
  const toApp = toldToApp(record, actor.userId ?? null)
  const wanted = [
    ...(event && workspaceIds.length > 0
      ? [{ clientId: null, workspaceId: { in: workspaceIds }, events: { hasSome: subscriptionsFor(event) } }]
      : []),
    ...(toApp ? [{ clientId: toApp.clientId, events: { hasSome: [toApp.event, 'app.*'] } }] : []),
  ]
  if (wanted.length === 0) return
  const webhooks = await tx.webhook.findMany({
    where: { disabledAt: null, OR: wanted },
    select: { id: true, url: true, workspaceId: true, clientId: true },
  })
  if (webhooks.length === 0) return
  const eventId = crypto.randomUUID()
  const timestamp = new Date().toISOString()
  await addDeliveries(
    tx,
    webhooks.map(({ id, url, workspaceId, clientId }) => {
      const message =
        toApp && clientId !== null
          ? { event: toApp.event, data: toApp.data }
          : { event: String(event), data: toldToWorkspace(workspaceId, actor, record) }
      const payload = { type: message.event, timestamp, data: message.data }
      return { webhook: { id, url }, eventId, event: message.event, payload }
    }),
  )
}

const toldToWorkspace = (workspaceId: string, actor: Actor | SystemActor, record: AuditRecord) => ({
  workspaceId,
  resource: record.resource,
  actor: {
    kind: actor.kind,
    userId: actor.userId ?? null,
    id: (actor.kind === 'system' ? actor.clientId : actorHandle(actor)) ?? null,
  },
  // An authorization names every workspace it selects; this one's receiver learns of its own alone.
  details: record.workspaceId ? (record.details ?? {}) : { clientId: record.details?.clientId ?? null },
})
