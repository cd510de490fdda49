import type { Db } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'
import type { Actor } from '@/lib/policy/actor'
import type { AuditRecord, SystemActor } from './audit-record'

/**
 * Hears of every event as it is recorded.
 * @param tx the transaction of the change: what a listener writes with it stands or falls with the event
 * @param eventId the row of the audit log
 */
export type EventListener = (
  tx: Db,
  actor: Actor | SystemActor,
  record: AuditRecord,
  eventId: string,
) => Promise<void>

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
