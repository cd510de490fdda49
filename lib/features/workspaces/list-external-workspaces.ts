import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import { projectReach } from '@/lib/policy/visible'

/** A workspace the person is no member of, with the projects of it they have a role in. */
export type ExternalWorkspace = { id: string; name: string; projects: ProjectRow[] }

const find = statement<
  ProjectRow & { workspaceName: string },
  [
    userId: string,
    onlyWorkspaces: readonly string[] | null,
    onlyProjects: readonly string[] | null,
    outside: boolean,
  ]
>(
  'list-external-workspaces',
  `SELECT ${projectColumns}, w.name AS "workspaceName"
     FROM project_members pm
     JOIN projects p ON p.id = pm.project_id
     JOIN workspaces w ON w.id = p.workspace_id
     LEFT JOIN workspace_members wm ON wm.workspace_id = p.workspace_id AND wm.user_id = $1
    WHERE pm.user_id = $1 AND wm.role IS NULL
      AND ($2::uuid[] IS NULL OR p.workspace_id = ANY($2) OR p.id = ANY($3::uuid[]))
      AND NOT ($4 AND w.require_two_factor)
    ORDER BY w.id, p.id`,
)

/**
 * The workspaces that the person knows from outside, through a role in some of their projects. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listExternalWorkspaces(actor: Actor): Promise<ExternalWorkspace[]> {
  const { userId, only, outside } = projectReach(actor)
  const workspaces = new Map<string, ExternalWorkspace>()
  for (const row of await find(userId, only?.workspaceIds ?? null, only?.projectIds ?? null, outside)) {
    const { workspaceName, ...project } = row
    const workspace = workspaces.get(project.workspaceId)
    if (workspace) workspace.projects.push(project)
    else
      workspaces.set(project.workspaceId, {
        id: project.workspaceId,
        name: workspaceName,
        projects: [project],
      })
  }
  return [...workspaces.values()]
}
