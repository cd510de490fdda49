import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import {
  type ProjectValues,
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
} from '@/lib/policy/visible'

/** A project as a list shows it. */
export type ProjectInList = { id: string; name: string; description: string; createdAt: Date }

const find = statement<
  ProjectInList & { total: number },
  [...ProjectValues, workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-projects',
  `SELECT p.id, p.name, p.description, p.created_at AS "createdAt", (count(*) OVER ())::int AS total
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.workspace_id = $7 AND ${visibleProject}
      AND (p.name ILIKE '%' || $8 || '%' OR p.description ILIKE '%' || $8 || '%')
    ORDER BY p.name COLLATE natural_order, p.id LIMIT $9 OFFSET $10`,
)

/**
 * One page of the projects of a workspace that an actor sees and whose names or descriptions hold a text, in natural order.
 * One statement, by name.
 * @param text anything; empty for all of them
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export const searchProjects = (
  actor: Actor,
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<ProjectInList>> => {
  const values = projectValues(actor)
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => find(...values, workspaceId, literal, limit, offset))
}
