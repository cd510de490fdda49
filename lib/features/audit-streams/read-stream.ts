import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type Place, requirePlace } from './place'

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
