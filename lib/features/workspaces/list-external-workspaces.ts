import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import {
  type ProjectValues,
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
} from '@/lib/policy/visible'

/** A workspace the person is no member of, with the projects of it they have a role in. */
export type ExternalWorkspace = { id: string; name: string; projects: ProjectRow[] }

const find = statement<ProjectRow & { workspaceName: string }, ProjectValues>(
  'list-external-workspaces',
  `SELECT ${projectColumns('$4')}, w.name AS "workspaceName"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE pm.role IS NOT NULL AND wm.role IS NULL AND ${visibleProject}
    ORDER BY w.id, p.id`,
)

/**
 * The workspaces that the person knows from outside, through a role in some of their projects. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function listExternalWorkspaces(actor: Actor): Promise<ExternalWorkspace[]> {
  const workspaces = new Map<string, ExternalWorkspace>()
  for (const row of await find(...projectValues(actor))) {
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
