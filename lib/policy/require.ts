import { prisma } from '@/lib/db/prisma'
import type { Actor } from './actor'
import { authorizeProject, authorizeWorkspace } from './authorize'
import type { ProjectPermission, WorkspacePermission } from './permissions'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text can be an id at all: anything else names nothing, and must not reach a uuid column. */
export const isId = (value: string): boolean => uuid.test(value)

/**
 * Loads a workspace and requires a permission on it.
 * @returns the workspace's row and the person's current role in it
 * @throws AppError as `authorizeWorkspace`
 */
export async function requireWorkspace(actor: Actor, permission: WorkspacePermission, id: string) {
  const found = isId(id)
    ? await prisma().workspace.findUnique({
        where: { id },
        include: { members: { where: { userId: actor.userId }, select: { role: true } } },
      })
    : null
  const role = found?.members[0]?.role
  authorizeWorkspace(actor, permission, id, found ? { id, workspaceRole: role } : undefined)
  const { members: _, ...workspace } = found as NonNullable<typeof found>
  return { ...workspace, role: role as NonNullable<typeof role> }
}

/**
 * Loads a project and requires a permission on it.
 * @returns the project's row
 * @throws AppError as `authorizeProject`
 */
export async function requireProject(actor: Actor, permission: ProjectPermission, id: string) {
  const mine = { where: { userId: actor.userId }, select: { role: true } }
  const found = isId(id)
    ? await prisma().project.findUnique({
        where: { id },
        include: { members: mine, workspace: { select: { members: mine } } },
      })
    : null
  authorizeProject(
    actor,
    permission,
    id,
    found
      ? {
          id,
          workspaceId: found.workspaceId,
          workspaceRole: found.workspace.members[0]?.role,
          projectRole: found.members[0]?.role,
        }
      : undefined,
  )
  const { members: _, workspace: __, ...project } = found as NonNullable<typeof found>
  return project
}
