import type { Db } from '@/lib/base/db/prisma'
import { announceChange } from '@/lib/base/live/listener'
import { remember } from '@/lib/base/process/remember'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'

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
 * Is called for every event as it is recorded, or for those of some actions.
 * @param tx the transaction of the change: what a listener writes with it is committed or rolled back with the event
 * @param eventId the row of the audit log
 */
export type EventListener = {
  (tx: Db, actor: Actor | SystemActor, record: AuditRecord, eventId: string): Promise<void>
  /** The actions that it is called for; all of them without it. */
  actions?: ReadonlySet<string>
}

/** Returns a listener that is called for some actions only. @param table has a row for each of them */
export const listenerOf = (table: object, listener: EventListener): EventListener =>
  Object.assign(listener, { actions: new Set(Object.keys(table)) })

const registered = () => remember<{ listeners?: readonly EventListener[] }>('event-listeners', () => ({}))

/**
 * Says who hears of recorded events. Called once where the process is composed, so that the audit log need not know who
 * listens; calling it again replaces the list.
 * @param listeners in the order in which they are told
 */
export function registerEventListeners(listeners: readonly EventListener[]): void {
  registered().listeners = listeners
}

/**
 * Who hears of recorded events.
 * @throws Error where nobody has said so: a process that forgot would lose notifications and webhooks in silence
 */
export function eventListeners(): readonly EventListener[] {
  const { listeners } = registered()
  if (!listeners)
    throw new Error('no event listeners: call composeEvents() of lib/server before recording events')
  return listeners
}

/**
 * Writes one event to the audit log and calls the registered listeners. Pass the transaction of the change itself, so that
 * neither exists without the other. See ADR 0002.
 * @param db the client or transaction that makes the change
 * @param actor who made it; `{ kind: 'system' }` with the user concerned if no one asked for it
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
  if (record.workspaceId) announceChange(`workspace:${record.workspaceId}`)
  for (const listener of eventListeners()) {
    if (listener.actions?.has(record.action) ?? true) await listener(db, actor, told, id)
  }
}

/** What an agent did says through which tool. */
const withTool = (actor: Actor | SystemActor, record: AuditRecord): AuditRecord =>
  'tool' in actor && actor.tool ? { ...record, details: { ...record.details, tool: actor.tool } } : record
