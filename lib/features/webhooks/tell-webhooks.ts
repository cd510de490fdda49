import type { Db } from '@/lib/base/db/prisma'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { addDeliveries } from './add-deliveries'
import { eventFor, subscriptionsFor, workspacesOf } from './events'

/**
 * Queues what webhooks are to be told about an event that was just recorded, in the same transaction: what was rolled back is told to
 * nobody, and what was committed is told even if the process ends now.
 * See decision 024.
 */
export async function tellWebhooks(tx: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const event = eventFor(record.action)
  const workspaceIds = event ? workspacesOf(record) : []
  if (!event || workspaceIds.length === 0) return
  const webhooks = await tx.webhook.findMany({
    where: {
      workspaceId: { in: workspaceIds },
      disabledAt: null,
      events: { hasSome: subscriptionsFor(event) },
    },
    select: { id: true, workspaceId: true },
  })
  if (webhooks.length === 0) return
  const eventId = crypto.randomUUID()
  const timestamp = new Date().toISOString()
  const client = actor.kind === 'system' ? actor.clientId : actorHandle(actor)
  await addDeliveries(
    tx,
    webhooks.map((webhook) => ({
      webhookId: webhook.id,
      eventId,
      event,
      payload: {
        type: event,
        timestamp,
        data: {
          workspaceId: webhook.workspaceId,
          resource: record.resource,
          actor: { kind: actor.kind, userId: actor.userId ?? null, id: client ?? null },
          // An authorization names every workspace it selects; this one's receiver learns of its own alone.
          ...(record.workspaceId
            ? { details: record.details ?? {} }
            : { details: { clientId: record.details?.clientId ?? null } }),
        },
      },
    })),
  )
}
