import { config } from '@/lib/base/config/env'
import { lowestId } from '@/lib/base/db/paging'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { type Allowance, allowNetworks, currentAllowance } from '@/lib/base/outbound/check-url'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance, holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'

/** Whose audit log a stream sends: a workspace's, or everything recorded in the installation. */
export type Place = { workspaceId: string } | 'installation'

/** The id that stands for the installation. */
export const installationId = lowestId

/**
 * Requires the right to a place's stream: `workspace:stream-audit`, or being the instance admin.
 * @returns the place's id, and the workspace in whose log a change of the stream is recorded
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

/** Holds the right to a place's stream for the rest of a transaction. @throws AppError as `holdWorkspace` or `holdInstance` */
export const holdPlace = (tx: Db, actor: Actor, place: Place): Promise<void> =>
  place === 'installation'
    ? holdInstance(tx, actor)
    : holdWorkspace(tx, actor, 'workspace:stream-audit', place.workspaceId)

/** What a place's stream may reach: the public internet, and for the instance admin's the networks that the environment names. */
export function allowanceFor(placeId: string, url: string): Allowance {
  if (placeId !== installationId || !URL.canParse(url)) return currentAllowance()
  return allowNetworks(config().AUDIT_STREAM_NETWORKS, new URL(url).port)
}

/** More than this wait: nobody counts on. */
const mostCounted = 10_000

const readWaiting = statement<{ waiting: number; oldest: Date | null }, [placeId: string]>(
  'audit-stream-waiting',
  `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM audit_waiting WHERE place_id = $1 LIMIT ${mostCounted + 1}) counted) AS waiting,
          (SELECT e.created_at FROM audit_waiting w JOIN audit_events e ON e.id = w.event_id
            WHERE w.place_id = $1 ORDER BY w.position LIMIT 1) AS oldest`,
)

/** How a stream does, without its secrets. */
export type StreamState = {
  url: string
  /** `stopped`: it failed for so long that nothing is sent any more. */
  state: 'sending' | 'failing' | 'paused' | 'stopped'
  lastSuccessAt: Date | null
  failingSince: Date | null
  failures: number
  lastError: string | null
  nextAt: Date
  /** Events not delivered yet, and when the oldest of them happened. */
  waiting: number
  /** Whether more wait than were counted. */
  more: boolean
  oldest: Date | null
  /** When the secret before the last rotation stops signing; null when it has. */
  previousUntil: Date | null
}

/**
 * How the stream of a place does.
 * @returns undefined where there is none
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
