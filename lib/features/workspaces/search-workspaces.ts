import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { knownWorkspaceIds, roleInWorkspace, workspaceById } from '@/lib/policy/visible'

type Row = WorkspaceRow & { total: number }

const find = statement<Row, [userId: string, text: string, limit: number, offset: number]>(
  'search-workspaces',
  `SELECT ${workspaceColumns('NULL')}, (count(*) OVER ())::int AS total
     FROM ${knownWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    WHERE w.name ILIKE '%' || $2 || '%' OR w.slug ILIKE '%' || $2 || '%'
    ORDER BY wm.role IS NULL, w.name COLLATE natural_order, w.id LIMIT $3 OFFSET $4`,
)

/**
 * One page of the workspaces a person can open in the console whose name or address holds a text: their own, and after them
 * those where they only share a project (`role` is null there), each in natural order. Those that ask for two factors stand
 * there too: their door says what to do. One statement, by name.
 * @param text anything; empty for all of them
 */
export const searchWorkspaces = (
  actor: SessionActor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<WorkspaceRow>> =>
  readNumbered(page, (limit, offset) => find(actor.userId, searchLiteral(text), limit, offset))
