import { cutPage, type Page, type Slice } from '@/lib/base/db/keyset'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import { projectReach } from '@/lib/policy/visible'

type Values = [
  userId: string,
  onlyWorkspaces: readonly string[] | null,
  onlyProjects: readonly string[] | null,
  after: string | null,
  before: string | null,
  limit: number,
  outside: boolean,
]

/** Reads at most a page from each workspace along its index, so that the cost follows the person, not the instance. */
const findPage = (name: string, order: 'ASC' | 'DESC') =>
  statement<ProjectRow, Values>(
    name,
    `SELECT found.*
       FROM (SELECT workspace_id AS id FROM workspace_members WHERE user_id = $1
              UNION
             SELECT p.workspace_id FROM project_members pm JOIN projects p ON p.id = pm.project_id
              WHERE pm.user_id = $1) AS known
       JOIN workspaces w ON w.id = known.id AND NOT ($7 AND w.require_two_factor)
       LEFT JOIN workspace_members wm ON wm.workspace_id = known.id AND wm.user_id = $1
      CROSS JOIN LATERAL (
        SELECT ${projectColumns}
          FROM projects p LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.user_id = $1
         WHERE p.workspace_id = known.id AND (wm.role IS NOT NULL OR pm.role IS NOT NULL)
           AND ($2::uuid[] IS NULL OR p.workspace_id = ANY($2) OR p.id = ANY($3::uuid[]))
           AND ($4::uuid IS NULL OR p.id > $4) AND ($5::uuid IS NULL OR p.id < $5)
         ORDER BY p.id ${order} LIMIT $6) found
      ORDER BY found.id ${order} LIMIT $6`,
  )

const findForward = findPage('list-all-projects-forward', 'ASC')
const findBackward = findPage('list-all-projects-backward', 'DESC')

/**
 * One page of every project an actor sees, whatever its workspace, oldest first: an app that was given single projects
 * need not know where they belong.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listAllProjects(actor: Actor, page: Page): Promise<Slice<ProjectRow>> {
  const { userId, only, outside } = projectReach(actor)
  const rows = await (page.backward ? findBackward : findForward)(
    userId,
    only?.workspaceIds ?? null,
    only?.projectIds ?? null,
    page.after,
    page.before,
    page.limit + 1,
    outside,
  )
  return cutPage(page, rows)
}
