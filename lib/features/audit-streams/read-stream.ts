import { config } from '@/lib/base/config/env'
import { lowestId } from '@/lib/base/db/paging'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { type Allowance, allowNetworks, currentAllowance } from '@/lib/base/outbound/check-url'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'

/** The audit log that a stream sends: a workspace's log or the log of the whole instance. */
export type Place = { workspaceId: string } | 'installation'

/** The place ID that represents the whole instance. */
export const installationId = lowestId

/**
 * Checks that an actor can manage a stream. A workspace's stream requires `workspace:stream-audit`. The
 * instance's stream requires an instance admin in a browser session.
 * @returns the place ID, and the ID of the workspace whose audit log records changes to the stream (null for
 * the instance's stream)
 * @throws the errors of `requireWorkspace` for a workspace's stream, and of `authorizeInstance` for the
 * instance's stream
 */
export async function requirePlace(
  actor: Actor,
  place: Place,
): Promise<{ placeId: string; workspaceId: string | null }> {
  if (place === 'installation') {
    authorizeInstance(actor)
    return { placeId: installationId, workspaceId: null }
  }
  const { id } = await requireWorkspace(actor, 'workspace:stream-audit', place.workspaceId)
  return { placeId: id, workspaceId: id }
}

/**
 * Checks again that the actor has the role that is required to manage a stream, and locks the role until the
 * transaction ends.
 * @throws the errors of `lockWorkspaceRole` or `lockInstanceAdminRole`
 */
export const holdPlace = (tx: Db, actor: Actor, place: Place): Promise<void> =>
  place === 'installation'
    ? lockInstanceAdminRole(tx, actor)
    : lockWorkspaceRole(tx, actor, 'workspace:stream-audit', place.workspaceId)

/**
 * Returns the non-public networks and the ports that a stream's requests can use: those that all outbound
 * requests can use and, for the instance's stream, the AUDIT_STREAM_NETWORKS. If there are such networks,
 * also allows the URL's port.
 */
export function allowanceFor(placeId: string, url: string): Allowance {
  if (placeId !== installationId || !URL.canParse(url)) return currentAllowance()
  return allowNetworks(config().AUDIT_STREAM_NETWORKS, new URL(url).port)
}

/** The maximum number of queued events to count. */
const mostCounted = 10_000

const readWaiting = statement<{ waiting: number; oldest: Date | null }, [placeId: string]>(
  'audit-stream-waiting',
  `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM audit_waiting WHERE place_id = $1 LIMIT ${mostCounted + 1}) counted) AS waiting,
          (SELECT e.created_at FROM audit_waiting w JOIN audit_events e ON e.id = w.event_id
            WHERE w.place_id = $1 ORDER BY w.position LIMIT 1) AS oldest`,
)

/** The state of a stream, without its secrets. */
export type StreamState = {
  url: string
  /**
   * The stream's state. `stopped` means that no more events are sent, because deliveries failed for too long,
   * the receiver responded with 410, or an admin paused the stream while it was failing.
   */
  state: 'sending' | 'failing' | 'paused' | 'stopped'
  lastSuccessAt: Date | null
  failingSince: Date | null
  failures: number
  lastError: string | null
  nextAt: Date
  /** The number of undelivered events, up to `mostCounted`. */
  waiting: number
  /** Whether there are more undelivered events than `waiting`. */
  more: boolean
  /** The time of the oldest undelivered event. Null if no event is waiting. */
  oldest: Date | null
  /**
   * The time until which the previous secret also signs messages. Null if the previous secret is no longer
   * used.
   */
  previousUntil: Date | null
}

/**
 * Returns the state of a stream.
 * @returns undefined if the place has no stream
 * @throws the errors of `requirePlace`
 */
export async function readStream(actor: Actor, place: Place): Promise<StreamState | undefined> {
  const { placeId } = await requirePlace(actor, place)
  const row = await prisma().auditStream.findUnique({ where: { placeId } })
  if (!row) return undefined
  const [{ waiting, oldest } = { waiting: 0, oldest: null }] = await readWaiting(placeId)
  const { url, disabledAt, failingSince, previousSecretExpiresAt: ends } = row
  const { lastSuccessAt, failures, lastError, nextAt } = row
  return {
    url,
    state: disabledAt ? (failingSince ? 'stopped' : 'paused') : failingSince ? 'failing' : 'sending',
    lastSuccessAt,
    failingSince,
    failures,
    lastError,
    nextAt,
    waiting: Math.min(waiting, mostCounted),
    more: waiting > mostCounted,
    oldest,
    previousUntil: ends && ends > new Date() ? ends : null,
  }
}
