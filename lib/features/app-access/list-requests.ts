import type { CountedSlice } from '@/lib/base/db/keyset'
import { likeLiteral } from '@/lib/base/db/like-literal'
import type { TextPage } from '@/lib/base/db/page-of-all'
import { placedStatement } from '@/lib/base/db/placed-statement'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { requireDecider } from './require-decider'

/** An open request: who asks, for which app, what that wants to do, and why. */
export type AppRequest = {
  /** Its place in the list. */
  id: string
  clientId: string
  name: string
  userId: string
  person: string
  scopes: string[]
  reason: string
  createdAt: Date
}

const open = `FROM workspace_app_requests r
   JOIN oauth_clients c ON c.id = r.client_id JOIN users u ON u.id = r.user_id
  WHERE r.workspace_id = $1 AND r.state = 'OPEN' AND (c.name ILIKE $2 OR c.id ILIKE $2 OR u.name ILIKE $2)`

const find = placedStatement<AppRequest & { place: string }, [workspaceId: string, pattern: string]>(
  'app-requests',
  `SELECT r.client_id AS "clientId", c.name, u.id AS "userId", u.name AS person, COALESCE(r.scopes, '{}') AS scopes, r.reason, r.created_at AS "createdAt",
          to_char(r.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || md5(r.client_id || ' ' || r.user_id) AS place
     ${open}`,
  2,
)

const countAll = statement<{ all: number }, [workspaceId: string, pattern: string]>(
  'count-app-requests',
  `SELECT count(*)::int AS all ${open}`,
)

/**
 * One page of a workspace's open requests, the oldest in front.
 * @param search part of the name of an app or of a person, or of a client id
 * @throws AppError as `requireDecider`
 */
export async function listRequests(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
  { search }: { search?: string | null | undefined } = {},
): Promise<CountedSlice<AppRequest>> {
  const { id } = await requireDecider(actor, workspaceId)
  const pattern = `%${likeLiteral(search ?? '')}%`
  const { rows, ...sides } = await find(page, id, pattern)
  return {
    rows: rows.map(({ place, ...row }) => ({ ...row, id: place })),
    ...sides,
    count: async () => (await countAll(id, pattern))[0]?.all ?? 0,
  }
}
