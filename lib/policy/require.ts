import { isId } from '@/lib/base/db/prisma'
import { statement, type Timestamp } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import type { Project, Workspace } from '@/lib/generated/prisma/client'
import { type Actor, isApp } from './actor'
import { type AppRules, type ApprovalRules, appRulesColumns } from './app-policy'
import { requireApproval } from './approvals'
import {
  authorizeApis,
  authorizeProject,
  authorizeWorkspace,
  baseRoleIn,
  type ProjectRights,
  type WorkspaceRights,
} from './authorize'
import type { ProjectPermission, WorkspacePermission } from './permissions'
import { higher, type Role } from './scopes'
import { authorizeTwoFactor } from './two-factor'
import { roleInProject, roleInWorkspace } from './visible'

/** A workspace, the user's current role in it (null if none), and its rules for the calling app. */
export type WorkspaceRow = Workspace & AppRules & { role: Role | null }

/**
 * A project, the user's current roles in it and in its workspace (null if none), and the workspace's rules
 * for the calling app.
 */
export type ProjectRow = Omit<Project, 'createdAt' | 'updatedAt'> & {
  createdAt: Timestamp
  updatedAt: Timestamp
} & AppRules &
  ApprovalRules & { projectRole: Role | null; workspaceRole: Role | null }

/**
 * Returns SQL: the columns of a `WorkspaceRow`. The statement must contain `w`, a row of workspaces, and
 * `wm`, the user's membership in the workspace.
 * @param clientId SQL of the calling app's client ID
 */
export const workspaceColumns = (
  clientId: string,
): string => `w.id, w.slug, w.name, w.personal_owner_id AS "personalOwnerId",
  w.require_two_factor AS "requireTwoFactor", w.created_at AS "createdAt", w.updated_at AS "updatedAt", wm.role,
  w.ask_first AS "requiresApprovalFor", ${appRulesColumns(clientId)}`

/**
 * Returns SQL: the columns of a `ProjectRow`. The statement must contain `p`, a row of projects, `w`, the
 * project's workspace, and `wm` and `pm`, the user's memberships in the workspace and in the project.
 * @param clientId SQL of the calling app's client ID
 */
export const projectColumns = (
  clientId: string,
): string => `p.id, p.workspace_id AS "workspaceId", p.name, p.description,
  p.created_at AS "createdAt", p.updated_at AS "updatedAt", wm.role AS "workspaceRole", pm.role AS "projectRole",
  w.ask_first AS "requiresApprovalFor", ${appRulesColumns(clientId)}`

const findWorkspace = statement<WorkspaceRow, [userId: string | null, id: string, clientId: string | null]>(
  'require-workspace',
  `SELECT ${workspaceColumns('$3')}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = $2`,
  { connections: 'shared' },
)

const findProject = statement<
  ProjectRow & { requireTwoFactor: boolean },
  [userId: string | null, id: string, clientId: string | null]
>(
  'require-project',
  `SELECT ${projectColumns('$3')}, w.require_two_factor AS "requireTwoFactor"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.id = $2`,
  { connections: 'shared' },
)

/**
 * Loads a workspace with one statement, and requires a permission on it. Uses the user's approval if one is
 * required.
 * @param asked the resource that a required approval covers; the workspace if omitted
 * @returns the workspace's row and the user's current role in it; for an app installation, the role is MEMBER
 * @throws the errors of `authorizeWorkspace`, `authorizeTwoFactor`, and `requireApproval`
 */
export async function requireWorkspace(
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
  asked = { type: 'workspace', id },
): Promise<WorkspaceRow & { role: Role }> {
  const [found] = isId(id) ? await findWorkspace(actor.userId, id, clientIdOf(actor)) : []
  authorizeWorkspace(actor, permission, id, found && rightsIn(found))
  if (found) {
    authorizeTwoFactor(actor, found)
    await requireApproval(actor, permission, asked, {
      workspaceId: found.id,
      requiresApprovalFor: found.requiresApprovalFor,
    })
  }
  return { ...found, role: found && baseRoleIn(actor, found.id, found.role ?? undefined) } as WorkspaceRow & {
    role: Role
  }
}

/**
 * Loads a project with one statement, and requires a permission on it. Uses the user's approval if one is
 * required.
 * @returns the project's row and the user's current roles
 * @throws the errors of `authorizeProject`, `authorizeTwoFactor`, and `requireApproval`
 */
export async function requireProject(
  actor: Actor,
  permission: ProjectPermission,
  id: string,
): Promise<ProjectRow> {
  const [found] = isId(id) ? await findProject(actor.userId, id, clientIdOf(actor)) : []
  authorizeProject(actor, permission, id, found && rightsOf(found))
  const { requireTwoFactor, ...project } = found as NonNullable<typeof found>
  authorizeTwoFactor(actor, { requireTwoFactor })
  await requireApproval(actor, permission, { type: 'project', id: project.id }, project)
  return project
}

/**
 * Returns the calling app's client ID, for `workspaceColumns` and `projectColumns`, or null if the caller is
 * not an app.
 */
export const clientIdOf = (actor: Actor): string | null => (isApp(actor) ? actor.clientId : null)

/** Converts a workspace's row for `authorizeWorkspace`. */
export const rightsIn = ({ role, ...row }: WorkspaceRow): WorkspaceRights => ({
  id: row.id,
  workspaceRole: role ?? undefined,
  appPolicy: row.appPolicy,
  appDecision: row.appDecision,
})

/** Converts a project's row for `authorizeProject`. */
export const rightsOf = (row: ProjectRow): ProjectRights => ({
  id: row.id,
  workspaceId: row.workspaceId,
  workspaceRole: row.workspaceRole ?? undefined,
  projectRole: row.projectRole ?? undefined,
  appPolicy: row.appPolicy,
  appDecision: row.appDecision,
})

/**
 * Returns the higher of the user's roles in a project and in its workspace, or undefined if the user has
 * neither.
 */
export const projectRoleOf = (row: ProjectRow): Role | undefined =>
  higher(row.workspaceRole ?? undefined, row.projectRole ?? undefined)

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

/**
 * Loads several workspaces with one statement, and performs the checks of `requireWorkspace` for each.
 * @returns the row or the error for each ID, in the order of the IDs. A row contains the user's role, which
 * is null for an app installation.
 */
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

/**
 * Loads several projects with one statement, and performs the checks of `requireProject` for each.
 * @returns the row or the error for each ID, in the order of the IDs
 */
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

/** Calls `decide` for each ID. Returns the row or the error for each ID, in the order of the IDs. */
const inOrder = <Row>(
  ids: readonly string[],
  decide: (id: string) => Promise<Row>,
): Promise<(Row | Error)[]> => Promise.all(ids.map((id) => decide(id).catch((error) => error as Error)))

const findInstanceAdmin = statement<{ id: string }, [userId: string]>(
  'require-instance-admin',
  'SELECT id FROM users WHERE id = $1 AND instance_admin AND suspended_at IS NULL',
)

/**
 * Requires an instance admin who uses a browser session or an account token with the ADMIN role.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED
 */
export async function requireApiAdmin(actor: Actor): Promise<void> {
  authorizeApis(actor)
  if (actor.kind === 'account-token' && (await findInstanceAdmin(actor.userId)).length === 0) {
    throw new AppError('FORBIDDEN', 'Only instance admins can perform this action.')
  }
}
