import { highestId, lowestId, type Page } from '@/lib/base/db/keyset'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import {
  outsidersRoleInProject,
  type ProjectValues,
  projectValues,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/**
 * A statement that reads a page of the projects that an actor sees in each of some workspaces: at most so many along the
 * index of each, so that the cost follows the person and not the instance.
 * @param name unique in the product
 * @param workspaces SQL: one column, their ids; `places` come as $10 and on
 * @param most SQL: how many rows of all of them together
 * @returns a function that reads the rows of a page and one more, oldest first or, for a backward page, last first
 */
export function pageOfProjects<Places extends unknown[] = []>(
  name: string,
  workspaces: string,
  most: string,
  /** SQL: which of them, more than that they are seen. */
  condition = 'true',
) {
  const inOrder = (suffix: string, order: 'ASC' | 'DESC') =>
    statement<ProjectRow, [...ProjectValues, after: string, before: string, limit: number, ...Places]>(
      `${name}-${suffix}`,
      `SELECT found.*
         FROM ${workspaces} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
        CROSS JOIN LATERAL (
          SELECT ${projectColumns('$4')}
            FROM projects p ${outsidersRoleInProject}
           WHERE p.workspace_id = w.id AND ${visibleProject} AND p.id > $7 AND p.id < $8 AND ${condition}
           ORDER BY p.id ${order} LIMIT $9) found
        ORDER BY found.id ${order} LIMIT ${most}`,
    )
  const forward = inOrder('forward', 'ASC')
  const backward = inOrder('backward', 'DESC')
  return (actor: Actor, page: Page, ...places: Places): Promise<ProjectRow[]> =>
    (page.backward ? backward : forward)(
      ...projectValues(actor),
      page.after ?? lowestId,
      page.before ?? highestId,
      page.limit + 1,
      ...places,
    )
}
