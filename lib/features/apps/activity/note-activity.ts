import { LRUCache } from 'lru-cache'
import { idAt } from '@/lib/base/db/paging'
import type { Db } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { requestId } from '@/lib/base/log/request-scope'
import { remember } from '@/lib/base/process/remember'
import { collect } from '@/lib/base/process/tally'
import { listenerOf } from '@/lib/features/audit/record-event'

/** The kinds of app events, with their labels. */
export const activityKinds = {
  SIGNED_IN: 'Signed in',
  GRANTED: 'Access granted',
  CHANGED: 'Access changed',
  DENIED: 'Denied',
  REVOKED: 'Access revoked',
  REFUSED: 'Refused',
} as const

export type ActivityKind = keyof typeof activityKinds

export const activityKindNames = Object.keys(activityKinds) as ActivityKind[]

/** An app event. Must not contain secrets. */
export type Activity = {
  clientId: string
  kind: ActivityKind
  userId?: string | null | undefined
  scopes?: readonly string[] | undefined
  /** The OAuth error code of a rejection. */
  error?: string | undefined
  /** The reason for a rejection or revocation. */
  detail?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
}

type Noted = Activity & { id: string; traceId: string | undefined; createdAt: Date }

/**
 * The maximum number of events per app that are gathered between two writes. Earlier events beyond the
 * maximum are dropped. Without a maximum, a flood of requests would fill the memory.
 */
const mostAtOnce = 500

/**
 * Adds the current time, the trace ID, and an ID that begins with the time. Events are therefore sorted by
 * the time at which they happened, although they are written later.
 */
function named(activity: Activity): Noted {
  const createdAt = new Date()
  return { ...activity, id: idAt(createdAt), traceId: requestId(), createdAt }
}

/**
 * The maximum number of rejections per app that each process records in a minute. Without this limit, clients
 * without credentials could cause any number of rejections, and each rejection would add a row.
 */
export const mostRefusals = 300

/**
 * Returns the number of rejections of each app, by client ID. An app's number starts again at zero a minute
 * after the first rejection. `isBeyond` compares the number with `mostRefusals`.
 */
const refusals = () =>
  remember('noted-refusals', () => new LRUCache<string, { count: number }>({ max: 10_000, ttl: 60_000 }))

function isBeyond({ kind, clientId }: Activity): boolean {
  if (kind !== 'REFUSED') return false
  const noted = refusals().get(clientId) ?? { count: 0 }
  if (noted.count === 0) refusals().set(clientId, noted)
  noted.count++
  return noted.count > mostRefusals
}

/**
 * Records an event in memory, so that no request waits for a database write. A crash loses at most the last
 * second of events. Rejections beyond `mostRefusals` are not recorded. The caller counts all rejections
 * separately (`countUse`). See ADR 0022.
 */
export function noteActivity(activity: Activity): void {
  if (isBeyond(activity)) return
  gatheredActivity.add(activity.clientId, [named(activity)])
}

/**
 * Writes gathered events. Skips deleted apps. Also skips apps that were not created in the settings, because
 * no page shows their events.
 */
const settle = statement<
  never,
  [
    ids: string[],
    clientIds: string[],
    kinds: string[],
    userIds: (string | null)[],
    scopes: string[],
    errors: (string | null)[],
    details: (string | null)[],
    ips: (string | null)[],
    userAgents: (string | null)[],
    traceIds: (string | null)[],
    createdAt: string[],
  ]
>(
  'settle-app-events',
  `INSERT INTO app_events AS known (id, client_id, kind, user_id, scopes, error, detail, ip, user_agent, trace_id, created_at)
   SELECT t.id, t.client_id, t.kind, t.user_id, string_to_array(t.scopes, ' '), t.error, t.detail, t.ip, t.user_agent,
          t.trace_id, t.created_at
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                 $10::text[], $11::timestamptz[])
       AS t(id, client_id, kind, user_id, scopes, error, detail, ip, user_agent, trace_id, created_at)
     JOIN oauth_clients c ON c.id = t.client_id AND c.source = 'SETTINGS'`,
)

/** Gathers events by app in memory, and writes them within a second. */
export const gatheredActivity = collect<Noted[]>('activity of apps', {
  afterMs: 1_000,
  merge: (earlier, later) => [...earlier, ...later].slice(-mostAtOnce),
  write: async (gathered) => {
    const due = [...gathered.values()].flat()
    const each = <Value>(value: (noted: Noted) => Value) => due.map(value)
    await settle(
      each(({ id }) => id),
      each(({ clientId }) => clientId),
      each(({ kind }) => kind),
      each(({ userId }) => userId ?? null),
      each(scopesOf),
      each(({ error }) => cut(error)),
      each(({ detail }) => cut(detail)),
      each(({ ip }) => cut(ip)),
      each(({ userAgent }) => cut(userAgent)),
      each(({ traceId }) => traceId ?? null),
      each(({ createdAt }) => createdAt.toISOString()),
    )
  },
})

/**
 * Writes the event for a new, changed, or revoked authorization in the transaction that makes the change.
 * Does nothing for an app that was not created in the settings.
 */
async function writeActivity(tx: Db, activity: Activity): Promise<void> {
  const { id, clientId, kind, userId, detail, traceId, createdAt, ...rest } = named(activity)
  await tx.$executeRaw`
    INSERT INTO app_events (id, client_id, kind, user_id, scopes, detail, trace_id, created_at)
    SELECT ${id}::uuid, c.id, ${kind}, ${userId ?? null}::uuid, string_to_array(${scopesOf(rest)}, ' '),
           ${cut(detail)}, ${traceId ?? null}, ${createdAt}
      FROM oauth_clients c WHERE c.id = ${clientId} AND c.source = 'SETTINGS'`
}

/**
 * Shortens long text, and replaces NUL characters. A single NUL character would make PostgreSQL reject the
 * whole batch.
 */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500) ?? null

const scopesOf = ({ scopes = [] }: Pick<Activity, 'scopes'>): string =>
  scopes
    .slice(0, 20)
    .map((scope) => cut(scope))
    .join(' ')

const kinds: Record<string, { kind: ActivityKind; detail?: string }> = {
  'authorization.granted': { kind: 'GRANTED' },
  'authorization.updated': { kind: 'CHANGED' },
  'authorization.revoked': { kind: 'REVOKED', detail: 'The user revoked access.' },
  'authorization.revoked_by_app': { kind: 'REVOKED', detail: 'An admin of the app revoked access.' },
  'authorization.revoked_after_token_reuse': {
    kind: 'REVOKED',
    detail: 'A refresh token was used again after it was replaced, so someone else might have a copy.',
  },
}

/**
 * Records, in the transaction of the change, which user's authorization of an app was granted, changed, or
 * revoked. The app's admins can see these events.
 */
export const hearAuthorizations = listenerOf(kinds, async (tx, actor, { action, details }) => {
  const heard = kinds[action]
  const clientId = details?.clientId
  if (!heard || typeof clientId !== 'string') return
  const { scopes } = details ?? {}
  // Omit the IP address. An app's admins can see the app's IP address, but not the IP address of a user who
  // manages an account in the browser.
  await writeActivity(tx, {
    clientId,
    userId: actor.userId,
    ...heard,
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  })
})
