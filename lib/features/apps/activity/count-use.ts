import { statement } from '@/lib/base/db/statements'
import { gather } from '@/lib/base/process/tally'
import { type Actor, isApp } from '@/lib/policy/actor'
import { reachedBy } from '@/lib/policy/authorize'

/** What is counted of an app, as the columns of app_usage have it. */
export const uses = ['authorizations', 'tokens', 'requests', 'errors'] as const
export type Use = (typeof uses)[number]

/** What one app did on one day (UTC, as 2026-11-21) that the database has not been told yet. */
type Tally = { clientId: string; day: string } & Record<Use, number>

/**
 * Rows are sorted, so that two replicas that settle at once take their locks in the same order. An app that is gone
 * meanwhile, or was never kept (a metadata document nobody authorized), needs no record.
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

/** What apps did and the database has not been told yet. */
export const gatheredUse = gather<Tally>('what apps did', {
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
 * Counts something an app did.
 * @param now in milliseconds, for tests
 */
export function countUse(clientId: string, use: Use, now = Date.now()): void {
  const day = dayOf(now)
  const tally = { clientId, day, authorizations: 0, tokens: 0, requests: 0, errors: 0 }
  tally[use] = 1
  gatheredUse.add(`${day} ${clientId}`, tally)
}

const dayMs = 86_400_000
let today = { number: -1, name: '' }

/** The day of a moment (UTC, as 2026-11-21). Asked for with every request, and seldom another than the last time. */
function dayOf(now: number): string {
  const number = Math.floor(now / dayMs)
  if (number !== today.number) today = { number, name: new Date(now).toISOString().slice(0, 10) }
  return today.name
}

/** Requests of one app in one workspace on one day that the database has not been told yet. */
type TallyOfCountReach = { workspaceId: string; clientId: string; day: string; requests: number }

/** Sorted, and only of what is still there, as what apps did at all (count-use.ts). */
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

/** What apps asked of workspaces and the database has not been told yet. */
export const gatheredReach = gather<TallyOfCountReach>('what apps asked of workspaces', {
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
 * Counts a request of an app for each workspace in which it was allowed something. No request waits for it.
 * @param now in milliseconds, for tests
 */
export function countReach(actor: Actor, now = Date.now()): void {
  if (!isApp(actor)) return
  const { clientId } = actor
  const day = dayOf(now)
  for (const workspaceId of reachedBy(actor)) {
    gatheredReach.add(`${day} ${workspaceId} ${clientId}`, { workspaceId, clientId, day, requests: 1 })
  }
}
