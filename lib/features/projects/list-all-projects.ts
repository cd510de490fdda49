import { cutPage, highestId, lowestId, type Page, type Slice } from '@/lib/base/db/keyset'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import {
  knownWorkspaceIds,
  type ProjectValues,
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
} from '@/lib/policy/visible'

type Values = [...ProjectValues, after: string, before: string, limit: number]

/** Reads at most a page from each workspace along its index, so that the cost follows the person, not the instance. */
const findPage = (name: string, order: 'ASC' | 'DESC') =>
  statement<ProjectRow, Values>(
    name,
    `SELECT found.*
       FROM ${knownWorkspaceIds} AS known JOIN workspaces w ON w.id = known.id ${roleInWorkspace()}
      CROSS JOIN LATERAL (
        SELECT ${projectColumns}
          FROM projects p ${roleInProject()}
         WHERE p.workspace_id = w.id AND ${visibleProject} AND p.id > $5 AND p.id < $6
         ORDER BY p.id ${order} LIMIT $7) found
      ORDER BY found.id ${order} LIMIT $7`,
  )

const findForward = findPage('list-all-projects-forward', 'ASC')
const findBackward = findPage('list-all-projects-backward', 'DESC')

/**
 * One page of every project an actor sees, whatever its workspace, oldest first: an app that was given single projects
 * need not know where they belong.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listAllProjects(actor: Actor, page: Page): Promise<Slice<ProjectRow>> {
  const rows = await (page.backward ? findBackward : findForward)(
    ...projectValues(actor),
    page.after ?? lowestId,
    page.before ?? highestId,
    page.limit + 1,
  )
  return cutPage(page, rows)
}
