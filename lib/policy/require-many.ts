import { statement } from '@/lib/base/db/statement'
import type { Actor } from './actor'
import { requireApproval } from './approvals'
import { authorizeProject, authorizeWorkspace } from './authorize'
import type { ProjectPermission, WorkspacePermission } from './permissions'
import {
  clientIdOf,
  isId,
  type ProjectRow,
  projectColumns,
  rightsIn,
  rightsOf,
  type WorkspaceRow,
  workspaceColumns,
} from './require'
import { authorizeTwoFactor } from './two-factor'
import { roleInProject, roleInWorkspace } from './visible'

/**
 * What `requireWorkspace` and `requireProject` decide, for many ids in one statement: each answers for each id, in order,
 * the row, or the AppError that the single one throws.
 */
const findWorkspaces = statement<
  WorkspaceRow,
  [userId: string | null, ids: readonly string[], clientId: string | null]
>(
  'find-workspaces',
  `SELECT ${workspaceColumns('$3')}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = ANY($2::uuid[])`,
)

type FoundProject = ProjectRow & { requireTwoFactor: boolean }

const findProjects = statement<
  FoundProject,
  [userId: string | null, ids: readonly string[], clientId: string | null]
>(
  'require-projects',
  `SELECT ${projectColumns('$3')}, w.require_two_factor AS "requireTwoFactor"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.id = ANY($2::uuid[])`,
)

/** @see requireWorkspace */
export async function requireWorkspaces(
  actor: Actor,
  permission: WorkspacePermission,
  ids: readonly string[],
): Promise<(WorkspaceRow | Error)[]> {
  const found = byId(await findWorkspaces(actor.userId, ids.filter(isId), clientIdOf(actor)))
  return inOrder(ids, async (id) => {
    const row = found.get(id.toLowerCase())
    authorizeWorkspace(actor, permission, id, row && rightsIn(row))
    authorizeTwoFactor(actor, row as WorkspaceRow)
    const { id: workspaceId, requiresApprovalFor } = row as WorkspaceRow
    await requireApproval(actor, permission, { type: 'workspace', id }, { workspaceId, requiresApprovalFor })
    return row as WorkspaceRow
  })
}

/** @see requireProject */
export async function requireProjects(
  actor: Actor,
  permission: ProjectPermission,
  ids: readonly string[],
): Promise<(ProjectRow | Error)[]> {
  const found = byId(await findProjects(actor.userId, ids.filter(isId), clientIdOf(actor)))
  return inOrder(ids, async (id) => {
    const row = found.get(id.toLowerCase())
    authorizeProject(actor, permission, id, row && rightsOf(row))
    const { requireTwoFactor, ...project } = row as FoundProject
    authorizeTwoFactor(actor, { requireTwoFactor })
    await requireApproval(actor, permission, { type: 'project', id: project.id }, project)
    return project
  })
}

const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))

/** What was decided about each, or the error that says no. */
const inOrder = <Row>(
  ids: readonly string[],
  decide: (id: string) => Promise<Row>,
): Promise<(Row | Error)[]> => Promise.all(ids.map((id) => decide(id).catch((error) => error as Error)))
