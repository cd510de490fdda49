import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { higher, type Role } from '@/lib/policy/roles'
import {
  roleInWorkspace,
  visibleProjects,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceValues,
} from '@/lib/policy/visible'

export type SelectableWorkspace = { id: string; name: string; role: Role }
export type SelectableProject = {
  id: string
  name: string
  role: Role
  workspace: { id: string; name: string }
}

/** More than anybody can look through; the search field narrows what is there. */
const most = 1000

const findWorkspaces = statement<SelectableWorkspace, [...WorkspaceValues, most: number]>(
  'selectable-workspaces',
  `SELECT w.id, w.name, wm.role
     FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}
    ORDER BY w.name, w.id LIMIT $4`,
)

/**
 * The workspaces and projects a person can share with an app, with their current role in each, sorted by name.
 * @param families which of the two the scopes ask for; the other list comes back empty
 */
export async function loadSelectable(
  actor: Actor,
  families: { workspaces: boolean; projects: boolean },
): Promise<{ workspaces: SelectableWorkspace[]; projects: SelectableProject[] }> {
  const mine = { where: { userId: actor.userId }, select: { role: true } }
  const [workspaces, projects] = await Promise.all([
    families.workspaces ? findWorkspaces(...workspaceValues(actor), most) : [],
    families.projects
      ? prisma().project.findMany({
          where: visibleProjects(actor),
          select: {
            id: true,
            name: true,
            members: mine,
            workspace: { select: { id: true, name: true, members: mine } },
          },
          orderBy: [{ workspace: { name: 'asc' } }, { workspaceId: 'asc' }, { name: 'asc' }, { id: 'asc' }],
          take: most,
        })
      : [],
  ])
  return {
    workspaces,
    projects: projects.map(({ id, name, members, workspace }) => ({
      id,
      name,
      role: higher(members[0]?.role, workspace.members[0]?.role) ?? 'VIEWER',
      workspace: { id: workspace.id, name: workspace.name },
    })),
  }
}
