import { type Db, storedId } from '@/lib/base/db/prisma'
import { announceChange } from '@/lib/base/live/listener'
import { scopedValue } from '@/lib/base/log/request-scope'
import { remember } from '@/lib/base/process/remember'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'

/**
 * The actor of changes that the server makes itself, for example when it revokes an authorization because a
 * refresh token was reused.
 */
export type SystemActor = {
  kind: 'system'
  userId?: string
  clientId?: string
  ip?: string
  userAgent?: string
}

/** An action and its resource, as recorded in the audit log. Must not contain secrets. */
export type AuditRecord = {
  /** The action as noun.verb, such as `oauth_app.created`. */
  action: string
  resource: { type: string; id: string }
  /**
   * The workspace whose audit log contains the event. Null or undefined for an event outside any workspace.
   */
  workspaceId?: string | null
  details?: Prisma.InputJsonObject
}

/**
 * A listener for all recorded events, or for events with specific actions.
 * @param tx the transaction of the change; the listener's writes are committed or rolled back with the event
 * @param eventId the ID of the event's row in the audit log
 */
export type EventListener = {
  (tx: Db, actor: Actor | SystemActor, record: AuditRecord, eventId: string): Promise<void>
  /** The actions for which the listener is called. Undefined for all actions. */
  actions?: ReadonlySet<string>
  /**
   * Handles several events with a fixed number of statements. If this function is omitted, the listener is
   * called for each event.
   */
  together?: (tx: Db, actor: Actor | SystemActor, events: readonly RecordedEvent[]) => Promise<void>
}

/** An event with the ID of its row in the audit log. */
type RecordedEvent = { record: AuditRecord; eventId: string }

/**
 * Returns a listener that is called only for specific actions.
 * @param table an object with a key for each of these actions
 */
export const listenerOf = (table: object, listener: EventListener): EventListener =>
  Object.assign(listener, { actions: new Set(Object.keys(table)) })

/** Returns a listener that uses the same function for single events and for batches. */
export const batchListener = (handle: NonNullable<EventListener['together']>): EventListener =>
  Object.assign(
    (tx: Db, actor: Actor | SystemActor, record: AuditRecord, eventId: string) =>
      handle(tx, actor, [{ record, eventId }]),
    { together: handle },
  )

const registered = () => remember<{ listeners?: readonly EventListener[] }>('event-listeners', () => ({}))

/**
 * Registers the listeners for recorded events. Called once when the process starts. Because the listeners are
 * passed to this function, the audit log does not have to import them. A second call replaces the list.
 * @param listeners the listeners, in the order in which they are called
 */
export function registerEventListeners(listeners: readonly EventListener[]): void {
  registered().listeners = listeners
}

const ofRequest = scopedValue<EventListener>('event-listener')

/**
 * Calls a function with a listener for the events that it records. This listener is called before the
 * registered listeners.
 */
export const withEventListener = <Result>(listener: EventListener, work: () => Result): Result =>
  ofRequest.run(listener, work)

/**
 * Returns the registered listeners.
 * @throws Error if no listeners were registered; without this error, notifications and webhooks would be lost
 * unnoticed
 */
export function eventListeners(): readonly EventListener[] {
  const { listeners } = registered()
  if (!listeners)
    throw new Error('no event listeners: call composeEvents() from lib/server before recording events')
  return listeners
}

/**
 * Writes one event to the audit log, notifies the workspace's feeds, and calls the registered listeners for
 * the action. Pass the transaction of the change itself, so that the change and the event are committed
 * together. See ADR 0002.
 * @param db the client or transaction that makes the change
 * @param actor the actor that made the change; `{ kind: 'system' }` with the affected user if the server made
 * it
 */
export async function recordEvent(db: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const described = describe(actor, record)
  const { id } = await db.auditEvent.create({ data: rowOf(actor, described), select: { id: true } })
  await announce(db, actor, [{ record: described, eventId: id }])
}

/**
 * Records one event in the audit logs of two workspaces, such as the transfer of an app. Only the log of the
 * actor's own workspace names the actor and contains the IP address. The other log names the server, because
 * its readers must not learn who acts in a workspace that they cannot access.
 * @param own the ID of the workspace in which the actor has the required role
 * @param other the ID of the other workspace
 */
export async function recordInBoth(
  db: Db,
  actor: Actor,
  record: AuditRecord,
  own: string,
  other: string,
): Promise<void> {
  await recordEvent(db, actor, { ...record, workspaceId: own })
  await recordEvent(db, { kind: 'system' }, { ...record, workspaceId: other })
}

/**
 * Writes several events that belong to one change with one statement. In all other respects, works like
 * `recordEvent`.
 */
export async function recordEvents(
  db: Db,
  actor: Actor | SystemActor,
  records: readonly AuditRecord[],
): Promise<void> {
  const described = records.map((record) => describe(actor, record))
  const rows = await db.auditEvent.createManyAndReturn({
    data: described.map((record) => rowOf(actor, record)),
    select: { id: true },
  })
  await announce(
    db,
    actor,
    described.map((record, index) => ({ record, eventId: rows[index]?.id ?? '' })),
  )
}

/** Notifies the feeds of the changed workspaces, and calls the listeners for the events' actions. */
async function announce(db: Db, actor: Actor | SystemActor, events: readonly RecordedEvent[]): Promise<void> {
  for (const id of new Set(events.map(({ record }) => record.workspaceId))) {
    if (id) announceChange(`workspace:${id}`)
  }
  const own = ofRequest.now()
  for (const listener of own ? [own, ...eventListeners()] : eventListeners()) {
    const handled = events.filter(({ record }) => listener.actions?.has(record.action) ?? true)
    if (handled.length === 0) continue
    if (listener.together) await listener.together(db, actor, handled)
    else for (const { record, eventId } of handled) await listener(db, actor, record, eventId)
  }
}

const rowOf = (actor: Actor | SystemActor, record: AuditRecord) => ({
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
})

/**
 * Returns the record with its IDs as they are stored, because readers and listeners compare them. If an agent
 * called a tool, adds the tool and the names of the arguments that the agent passed to the details.
 */
const describe = (actor: Actor | SystemActor, record: AuditRecord): AuditRecord => ({
  ...record,
  resource: { type: record.resource.type, id: storedId(record.resource.id) },
  workspaceId: record.workspaceId && storedId(record.workspaceId),
  ...('tool' in actor && actor.tool ? { details: { ...record.details, tool: actor.tool } } : {}),
})
