import type { Db } from '@/lib/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import { announceEvent } from '@/lib/notifications/announce-event'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { queueDeliveries } from '@/lib/webhooks/queue-deliveries'

/** Something the product did by itself, such as revoking an authorization after a stolen refresh token was seen. */
export type SystemActor = {
  kind: 'system'
  userId?: string
  clientId?: string
  ip?: string
  userAgent?: string
}

/** What happened, to what. Nothing in here may be a secret. */
export type AuditRecord = {
  /** noun.verb, such as `oauth_app.created`. */
  action: string
  resource: { type: string; id: string }
  /** The workspace in whose audit log it appears; none for what concerns a person alone. */
  workspaceId?: string | null
  details?: Prisma.InputJsonObject
}

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
  await queueDeliveries(db, actor, record)
}
