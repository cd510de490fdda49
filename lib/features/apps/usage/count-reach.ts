import { statement } from '@/lib/base/db/statement'
import { gather } from '@/lib/base/process/tally'
import { type Actor, isApp } from '@/lib/policy/actor'
import { reachedBy } from '@/lib/policy/authorize'
import { dayOf } from './count-use'

/** Requests of one app in one workspace on one day that the database has not been told yet. */
type Tally = { workspaceId: string; clientId: string; day: string; requests: number }

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
export const gatheredReach = gather<Tally>('what apps asked of workspaces', {
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
