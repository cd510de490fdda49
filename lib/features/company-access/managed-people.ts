import type { CountedSlice } from '@/lib/base/db/keyset'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import type { TextPage } from '@/lib/base/db/page-of-all'
import { placedStatement } from '@/lib/base/db/placed-statement'
import { statement } from '@/lib/base/db/statement'
import { requireDecider } from '@/lib/features/app-access/require-decider'
import type { Actor } from '@/lib/policy/actor'
import { managedNow } from '@/lib/policy/managed-access'

/** Somebody for whom an app acts by the word of a workspace's identity provider. */
export type PersonThroughCompany = { id: string; userId: string; name: string; since: Date; lastUsedAt: Date }

/** $1: the workspace, $2: the app. */
const people = `FROM ${managedNow}
     JOIN managed_uses mu ON mu.managed_app_id = m.id AND mu.user_id = u.id
    WHERE m.workspace_id = $1::uuid AND m.client_id = $2`

const columns = `mu.id, u.id AS "userId", u.name, mu.created_at AS since, mu.last_used_at AS "lastUsedAt"`

const find = statement<
  PersonThroughCompany & { total: number },
  [workspaceId: string, clientId: string, limit: number, offset: number]
>(
  'managed-people',
  `SELECT ${columns}, (count(*) OVER ())::int AS total ${people}
    ORDER BY mu.last_used_at DESC, mu.id LIMIT $3 OFFSET $4`,
)

/**
 * One page of the people for whom an app has got a token by the word of a workspace's identity provider, and for whom it
 * could act by it now; the latest in front.
 * @throws AppError as `requireDecider`
 * See decision 230.
 */
export async function listManagedPeople(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  page: NumberedPage,
): Promise<NumberedRows<PersonThroughCompany>> {
  const { id } = await requireDecider(actor, workspaceId)
  return readNumbered(page, (limit, offset) => find(id, clientId, limit, offset))
}

type Values = [workspaceId: string, clientId: string]

const findPlaced = placedStatement<PersonThroughCompany & { place: string }, Values>(
  'managed-people-by-id',
  `SELECT ${columns}, mu.id::text AS place ${people}`,
  2,
)

const countAll = statement<{ all: number }, Values>(
  'count-managed-people',
  `SELECT count(*)::int AS all ${people}`,
)

/**
 * The same people by cursors, the first in front.
 * @throws AppError as `requireDecider`
 */
export async function pageManagedPeople(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  page: TextPage,
): Promise<CountedSlice<PersonThroughCompany>> {
  const { id } = await requireDecider(actor, workspaceId)
  const slice = await findPlaced(page, id, clientId)
  return { ...slice, count: async () => (await countAll(id, clientId))[0]?.all ?? 0 }
}
