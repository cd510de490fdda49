import { readByKey } from '@/lib/base/db/shared-reads'
import type { Project, Workspace } from '@/lib/generated/prisma/client'
import type { Actor } from './actor'
import { authorizeProject, authorizeWorkspace } from './authorize'
import type { ProjectPermission, WorkspacePermission } from './permissions'
import { higher, type Role } from './roles'
import { authorizeTwoFactor } from './two-factor'
import { roleInProject, roleInWorkspace } from './visible'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text can be an id at all: anything else names nothing, and must not reach a uuid column. */
export const isId = (value: string): boolean => uuid.test(value)

/** A workspace and the person's current role in it; `role` is null for a person without one. */
export type WorkspaceRow = Workspace & { role: Role | null }

/** A project and the person's current roles: in the project itself and in its workspace. */
export type ProjectRow = Project & { projectRole: Role | null; workspaceRole: Role | null }

/** The columns of `w`, a row of workspaces, and `wm`, the person's membership in it. */
export const workspaceColumns = `w.id, w.slug, w.name, w.personal_owner_id AS "personalOwnerId",
  w.require_two_factor AS "requireTwoFactor", w.created_at AS "createdAt", w.updated_at AS "updatedAt", wm.role`

/** The columns of `p`, a row of projects, with `wm` and `pm`, the person's memberships in its workspace and in itself. */
export const projectColumns = `p.id, p.workspace_id AS "workspaceId", p.name, p.description,
  p.created_at AS "createdAt", p.updated_at AS "updatedAt", wm.role AS "workspaceRole", pm.role AS "projectRole"`

const findWorkspace = readByKey<WorkspaceRow, [userId: string, id: string]>(
  'require-workspace',
  `SELECT ${workspaceColumns}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = $2`,
)

const findProject = readByKey<ProjectRow & { requireTwoFactor: boolean }, [userId: string, id: string]>(
  'require-project',
  `SELECT ${projectColumns}, w.require_two_factor AS "requireTwoFactor"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.id = $2`,
)

/**
 * Loads a workspace and requires a permission on it. One statement.
 * @returns the workspace's row and the person's current role in it
 * @throws AppError as `authorizeWorkspace` and `authorizeTwoFactor`
 */
export async function requireWorkspace(
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
): Promise<Workspace & { role: Role }> {
  const [found] = isId(id) ? await findWorkspace(actor.userId, id) : []
  authorizeWorkspace(actor, permission, id, found && { id: found.id, workspaceRole: found.role ?? undefined })
  if (found) authorizeTwoFactor(actor, found)
  return found as Workspace & { role: Role }
}

/**
 * Loads a project and requires a permission on it. One statement.
 * @returns the project's row and the person's current roles
 * @throws AppError as `authorizeProject` and `authorizeTwoFactor`
 */
export async function requireProject(
  actor: Actor,
  permission: ProjectPermission,
  id: string,
): Promise<ProjectRow> {
  const [found] = isId(id) ? await findProject(actor.userId, id) : []
  authorizeProject(actor, permission, id, found && rightsOf(found))
  const { requireTwoFactor, ...project } = found as NonNullable<typeof found>
  authorizeTwoFactor(actor, { requireTwoFactor })
  return project
}

/** A project's row as `authorizeProject` takes it. */
export const rightsOf = (row: ProjectRow) => ({
  id: row.id,
  workspaceId: row.workspaceId,
  workspaceRole: row.workspaceRole ?? undefined,
  projectRole: row.projectRole ?? undefined,
})

/** The person's role in a project, whichever way they got it. */
export const projectRoleOf = (row: ProjectRow): Role | undefined =>
  higher(row.workspaceRole ?? undefined, row.projectRole ?? undefined)
