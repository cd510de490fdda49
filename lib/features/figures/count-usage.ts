import { config } from '@/lib/base/config/env'
import { statement } from '@/lib/base/db/statements'
import { remember } from '@/lib/base/process/remember'
import { collect, settleLater } from '@/lib/base/process/tally'
import { type Actor, isApp } from '@/lib/policy/actor'
import { accessedWorkspaces } from '@/lib/policy/authorize'

/**
 * The subject of a request count: an API token, an authorization, an app installation, an SSO-managed app
 * that acts for one user, an app that acts for itself, or a user (for all their API tokens together).
 */
export type Counted = {
  table: 'api_tokens' | 'authorizations' | 'installations' | 'managed_apps' | 'oauth_clients' | 'users'
  id: string
}

/**
 * The number of requests by one subject in one hour. The sum of `settled` and `pending` is the number that
 * this process knows.
 */
export type Count = {
  table: Counted['table']
  /** The start of the hour, as a Unix time in milliseconds. */
  hour: number
  /**
   * The count in the database when this process last read it, or 0 before the first read. It includes the
   * counts of other replicas.
   */
  settled: number
  /** The number of requests that are not stored in the database yet. */
  pending: number
}

/**
 * Returns the counts by subject ID. Requests change only these counts in memory. A process writes its new
 * counts to the database within about a second, and reads the totals of the same subjects at the same time.
 * The totals include the counts of other replicas. A crash loses the counts since the last write. This module
 * does not use `collect` from lib/base/process/tally.ts, because the counts must remain in memory after they
 * are written: limits apply to the totals.
 */
export const counts = (): Map<string, Count> => remember('request-counts', () => new Map<string, Count>())

/**
 * The state of a credential's rate limit after a request. If two limits apply, the fields describe the limit
 * with fewer remaining requests.
 */
export type Usage = {
  allowed: boolean
  limit: number
  remaining: number
  /**
   * The beginning of the error message, such as "This token has". The text names the subject of the limit.
   */
  limited: string
  /** The number of seconds until the hour ends, rounded up and at least 1. */
  resetsIn: number
  /** The Unix timestamp at which the hour ends, in seconds. */
  resetsAt: number
}

const hourMs = 3_600_000

/**
 * The limit for all of a user's API tokens together, as a multiple of a single token's limit. This limit does
 * not depend on the number of tokens.
 */
export const tokensPerUserLimit = 5

/**
 * Counts one request with a credential in memory, and schedules the write to the database. If the
 * credential's limit or the user's limit is already reached, the request is not counted and `allowed` is
 * false.
 * @param userId the user of an API token; the request also counts toward this user's limit
 * @param now the current time in milliseconds, for tests
 */
export function countRequest(credential: Counted, userId?: string, now = Date.now()): Usage {
  const hour = now - (now % hourMs)
  const limit = config().RATE_LIMIT_PER_HOUR
  const own = { count: countOf(credential, hour), limit, limited: 'This token has' }
  const all = userId && {
    count: countOf({ table: 'users', id: userId }, hour),
    limit: limit * tokensPerUserLimit,
    limited: 'Your tokens together have',
  }
  const first = all && left(all) < left(own) ? all : own
  const allowed = left(first) > 0
  if (allowed) {
    own.count.pending += 1
    if (all) all.count.pending += 1
    writeCounts.soon()
  }
  const resetsAt = (hour + hourMs) / 1000
  return {
    allowed,
    limit: first.limit,
    remaining: left(first),
    limited: first.limited,
    resetsIn: Math.max(1, Math.ceil(resetsAt - now / 1000)),
    resetsAt,
  }
}

const left = ({ count, limit }: { count: Count; limit: number }) =>
  Math.max(0, limit - count.settled - count.pending)

function countOf({ table, id }: Counted, hour: number): Count {
  const known = counts().get(id)
  if (known?.hour === hour) return known
  const count = { table, hour, settled: 0, pending: 0 }
  counts().set(id, count)
  return count
}

/**
 * Adds requests to the stored counts and returns the new totals. Sorts the rows by ID, so that replicas that
 * write concurrently lock them in the same order and do not deadlock.
 */
const addCounts = statement<
  { id: string; requests: number },
  [ids: string[], hours: Date[], added: number[]]
>(
  'settle-request-counts',
  `INSERT INTO request_counts AS known (credential_id, hour, requests)
   SELECT id, hour, added FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS t(id, hour, added) ORDER BY id
   ON CONFLICT (credential_id, hour) DO UPDATE SET requests = known.requests + excluded.requests
   RETURNING credential_id AS id, requests`,
)

const touch = {
  api_tokens: statement<never, [ids: string[]]>(
    'touch-api-tokens',
    `UPDATE api_tokens SET last_used_at = now()
      WHERE id IN (SELECT id FROM api_tokens WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
  authorizations: statement<never, [ids: string[]]>(
    'touch-authorizations',
    `UPDATE authorizations SET last_used_at = now()
      WHERE id IN (SELECT id FROM authorizations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
  installations: statement<never, [ids: string[]]>(
    'touch-installations',
    `UPDATE installations SET last_used_at = now()
      WHERE id IN (SELECT id FROM installations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)`,
  ),
}

const forgetHours = statement<never, []>(
  'forget-request-counts',
  "DELETE FROM request_counts WHERE hour < now() - interval '2 hours'",
)

/**
 * Writes new counts to the database and reads the new totals, which include the counts of other replicas.
 * Records the last use of API tokens, authorizations, and installations. Also deletes past counts once an
 * hour. The number of statements does not depend on the number of requests.
 */
export const writeCounts = settleLater('request counts', 1_000, async () => {
  const due = [...counts()]
    .filter(([, count]) => count.pending > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, count]) => ({ id, count, added: count.pending }))
  if (due.length === 0) return
  const rows = await addCounts(
    due.map(({ id }) => id),
    due.map(({ count }) => new Date(count.hour)),
    due.map(({ added }) => added),
  )
  const totals = new Map(rows.map((row) => [row.id, row.requests]))
  for (const { id, count, added } of due) {
    count.pending -= added
    count.settled = totals.get(id) ?? count.settled + added
  }
  for (const table of ['api_tokens', 'authorizations', 'installations'] as const) {
    const used = due.filter(({ count }) => count.table === table).map(({ id }) => id)
    if (used.length > 0) await touch[table](used)
  }
  await forgetPast(Math.max(...due.map(({ count }) => count.hour)))
})

const dropped = () => remember('request-counts-dropped', () => ({ hour: 0 }))

/**
 * Deletes the counts of past hours from memory if they are stored in the database. Deletes counts from the
 * database if their hour began more than two hours ago. Does nothing if this process has already run the
 * function for this hour or a later hour.
 */
async function forgetPast(hour: number): Promise<void> {
  if (hour <= dropped().hour) return
  dropped().hour = hour
  const past = ([, count]: [string, Count]) => count.hour < hour && count.pending === 0
  for (const [id] of [...counts()].filter(past)) counts().delete(id)
  await forgetHours()
}

/** The names of an app's counters, which are also columns of app_usage. */
export const uses = ['authorizations', 'tokens', 'requests', 'errors'] as const
export type Use = (typeof uses)[number]

/** The part of an app's usage on one day that is not stored yet. `day` is a UTC date, such as 2026-11-21. */
type Tally = { clientId: string; day: string } & Record<Use, number>

/**
 * Adds usage to the stored usage of apps. Sorts the rows, so that replicas that write concurrently lock them
 * in the same order and do not deadlock. Skips apps without a row in oauth_clients: apps that were deleted in
 * the meantime, and apps with a metadata document that no user has authorized.
 */
const addUse = statement<
  never,
  [
    clientIds: string[],
    days: string[],
    authorizations: number[],
    tokens: number[],
    requests: number[],
    errors: number[],
  ]
>(
  'settle-app-usage',
  `INSERT INTO app_usage AS known (client_id, day, authorizations, tokens, requests, errors)
   SELECT t.* FROM unnest($1::text[], $2::date[], $3::int[], $4::int[], $5::int[], $6::int[])
       AS t(client_id, day, authorizations, tokens, requests, errors)
     JOIN oauth_clients c ON c.id = t.client_id
    ORDER BY t.client_id, t.day
   ON CONFLICT (client_id, day) DO UPDATE SET
     authorizations = known.authorizations + excluded.authorizations,
     tokens = known.tokens + excluded.tokens,
     requests = known.requests + excluded.requests,
     errors = known.errors + excluded.errors`,
)

/** The app usage that this process has not stored yet. */
export const appUsageTally = collect<Tally>('what apps did', {
  afterMs: 2_000,
  merge: (earlier, later) => {
    for (const use of uses) earlier[use] += later[use]
    return earlier
  },
  write: async (gathered) => {
    const due = [...gathered.values()]
    await addUse(
      due.map(({ clientId }) => clientId),
      due.map(({ day }) => day),
      due.map(({ authorizations }) => authorizations),
      due.map(({ tokens }) => tokens),
      due.map(({ requests }) => requests),
      due.map(({ errors }) => errors),
    )
  },
})

/**
 * Adds one to an app's counter for the current day, in memory. The counters are written in batches.
 * @param now the current time in milliseconds, for tests
 */
export function countUse(clientId: string, use: Use, now = Date.now()): void {
  const day = dayOf(now)
  const tally = { clientId, day, authorizations: 0, tokens: 0, requests: 0, errors: 0 }
  tally[use] = 1
  appUsageTally.add(`${day} ${clientId}`, tally)
}

const dayMs = 86_400_000
let today = { number: -1, name: '' }

/**
 * Returns the UTC day of a time, such as 2026-11-21. The last result is cached, because every request by an
 * app needs it.
 */
function dayOf(now: number): string {
  const number = Math.floor(now / dayMs)
  if (number !== today.number) today = { number, name: new Date(now).toISOString().slice(0, 10) }
  return today.name
}

/** The number of an app's requests in one workspace on one day that are not stored yet. */
type TallyOfCountReach = { workspaceId: string; clientId: string; day: string; requests: number }

/**
 * Adds requests to the stored counts per workspace, app, and day. Sorts the rows and skips missing apps, as
 * `addUse` does. Also skips missing workspaces.
 */
const addReach = statement<
  never,
  [workspaceIds: string[], clientIds: string[], days: string[], requests: number[]]
>(
  'settle-workspace-app-usage',
  `INSERT INTO workspace_app_usage AS known (workspace_id, client_id, day, requests)
   SELECT t.* FROM unnest($1::uuid[], $2::text[], $3::date[], $4::int[]) AS t(workspace_id, client_id, day, requests)
     JOIN workspaces w ON w.id = t.workspace_id JOIN oauth_clients c ON c.id = t.client_id
    ORDER BY t.workspace_id, t.client_id, t.day
   ON CONFLICT (workspace_id, client_id, day) DO UPDATE SET requests = known.requests + excluded.requests`,
)

/** The app requests per workspace that this process has not stored yet. */
export const workspaceRequestTally = collect<TallyOfCountReach>('what apps asked of workspaces', {
  afterMs: 2_000,
  merge: (earlier, later) => ({ ...earlier, requests: earlier.requests + later.requests }),
  write: async (gathered) => {
    const due = [...gathered.values()]
    await addReach(
      due.map(({ workspaceId }) => workspaceId),
      due.map(({ clientId }) => clientId),
      due.map(({ day }) => day),
      due.map(({ requests }) => requests),
    )
  },
})

/**
 * Counts a request by an app for each workspace that allowed the request (`accessedWorkspaces`). Call this
 * function after the request. Ignores requests by other actors. Requests do not wait for the write to the
 * database.
 * @param now the current time in milliseconds, for tests
 */
export function countWorkspaceRequests(actor: Actor, now = Date.now()): void {
  if (!isApp(actor)) return
  const { clientId } = actor
  const day = dayOf(now)
  for (const workspaceId of accessedWorkspaces(actor)) {
    workspaceRequestTally.add(`${day} ${workspaceId} ${clientId}`, {
      workspaceId,
      clientId,
      day,
      requests: 1,
    })
  }
}
