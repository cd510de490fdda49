import type { Db } from '@/lib/base/db/prisma'
import { announceEvent } from '@/lib/features/notifications/announce-event'
import { mailAccountChange } from '@/lib/features/notifications/mail-account-change'
import { tellWebhooks } from '@/lib/features/webhooks/tell-webhooks'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import type { AuditRecord, SystemActor } from './audit-record'

/**
 * Writes one event to the audit log, and tells whoever is to be told about it. Pass the transaction of the change itself, so that neither exists without the other.
 * @param db the client or transaction the change is made with
 * @param actor who did it; `{ kind: 'system' }` with the person concerned for what nobody asked for
 */
export async function recordEvent(db: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  await db.auditEvent.create({
    data: {
      workspaceId: record.workspaceId ?? null,
      userId: actor.userId ?? null,
      actorKind: actor.kind,
      actorId: (actor.kind === 'system' ? actor.clientId : actorHandle(actor)) ?? null,
      action: record.action,
      resourceType: record.resource.type,
      resourceId: record.resource.id,
      details: record.details ?? {},
      ip: actor.ip ?? null,
      userAgent: actor.userAgent ?? null,
    },
  })
  await announceEvent(db, actor, record)
  await mailAccountChange(db, actor, record)
  await tellWebhooks(db, actor, record)
}
