import type { Db } from '@/lib/base/db/prisma'
import { ring } from '@/lib/base/live/listener'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import type { AuditRecord, SystemActor } from './audit-record'
import { eventListeners } from './event-listeners'

/**
 * Writes one event to the audit log, and tells whoever listens (event-listeners.ts). Pass the transaction of the change
 * itself, so that neither exists without the other.
 * See decision 106.
 * @param db the client or transaction the change is made with
 * @param actor who did it; `{ kind: 'system' }` with the person concerned for what nobody asked for
 */
export async function recordEvent(db: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const told = withTool(actor, record)
  const { id } = await db.auditEvent.create({
    data: {
      workspaceId: record.workspaceId ?? null,
      userId: actor.userId ?? null,
      actorKind: actor.kind,
      actorId: (actor.kind === 'system' ? actor.clientId : actorHandle(actor)) ?? null,
      action: record.action,
      resourceType: record.resource.type,
      resourceId: record.resource.id,
      details: told.details ?? {},
      ip: actor.ip ?? null,
      userAgent: actor.userAgent ?? null,
    },
    select: { id: true },
  })
  if (record.workspaceId) ring(`workspace:${record.workspaceId}`)
  for (const hear of eventListeners()) await hear(db, actor, told, id)
}

/** What an agent did says through which tool. */
const withTool = (actor: Actor | SystemActor, record: AuditRecord): AuditRecord =>
  'tool' in actor && actor.tool ? { ...record, details: { ...record.details, tool: actor.tool } } : record
