import { inOrderOf } from '@/lib/base/db/in-order-of'
import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { type AuthorizedApp, readAuthorizations } from './list-authorizations'

const find = statement<
  { id: string; total: number },
  [userId: string, text: string, limit: number, offset: number]
>(
  'search-authorizations',
  `SELECT a.id, (count(*) OVER ())::int AS total
     FROM authorizations a JOIN oauth_clients c ON c.id = a.client_id LEFT JOIN workspaces w ON w.id = c.workspace_id
    WHERE a.user_id = $1 AND (c.name ILIKE '%' || $2 || '%' OR w.name ILIKE '%' || $2 || '%')
    ORDER BY a.last_used_at DESC NULLS LAST, a.created_at DESC, a.id LIMIT $3 OFFSET $4`,
)

/**
 * One page of the apps a person authorized whose names, or whose workspaces' names, hold a text; the latest used first.
 * @param text anything; empty for all of them
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function searchAuthorizations(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<AuthorizedApp>> {
  authorizeAccount(actor)
  const literal = searchLiteral(text)
  const found = await readNumbered(page, (limit, offset) => find(actor.userId, literal, limit, offset))
  const ids = found.rows.map(({ id }) => id)
  const rows = inOrderOf(ids, await readAuthorizations(actor, ids), ({ id }) => id).flat()
  return { ...found, rows }
}
