import { config } from '@/lib/base/config/env'
import { lowestId } from '@/lib/base/db/paging'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { type Allowance, allowNetworks, currentAllowance } from '@/lib/base/outbound/check-url'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'

/** The audit log that a stream sends: a workspace's, or the whole instance's. */
export type Place = { workspaceId: string } | 'installation'

/** The ID that represents the instance. */
export const installationId = lowestId

/**
 * Requires the permission for a stream: `workspace:stream-audit`, or being the instance admin.
 * @returns the ID of the place, and the workspace whose log records changes of the stream
 * @throws AppError as `authorizeWorkspace`, or FORBIDDEN for anyone but the instance admin
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
 * Locks the permission for a stream for the rest of a transaction.
 * @throws AppError as `lockWorkspaceRole` or `lockInstanceAdminRole`
 */
export const holdPlace = (tx: Db, actor: Actor, place: Place): Promise<void> =>
  place === 'installation'
    ? lockInstanceAdminRole(tx, actor)
    : lockWorkspaceRole(tx, actor, 'workspace:stream-audit', place.workspaceId)

/**
 * Returns the networks that a stream can reach: the public internet, and for the instance admin's stream also
 * those that the environment names.
 */
export function allowanceFor(placeId: string, url: string): Allowance {
  if (placeId !== installationId || !URL.canParse(url)) return currentAllowance()
  return allowNetworks(config().AUDIT_STREAM_NETWORKS, new URL(url).port)
}

/** The counting of queued events stops here. */
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
  /** `stopped`: it failed for so long that nothing is sent any more. */
  state: 'sending' | 'failing' | 'paused' | 'stopped'
  lastSuccessAt: Date | null
  failingSince: Date | null
  failures: number
  lastError: string | null
  nextAt: Date
  /** Events that are not delivered yet, and the time of the oldest. */
  waiting: number
  /** Whether more events are queued than were counted. */
  more: boolean
  oldest: Date | null
  /** When the previous secret stops signing; null if it has stopped. */
  previousUntil: Date | null
}

/**
 * Returns the state of a stream.
 * @returns undefined if there is none
 * @throws AppError as `requirePlace`
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
