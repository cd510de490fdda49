import { prisma } from '@/lib/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { higher, type Role } from '@/lib/policy/roles'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'

export type SelectableWorkspace = { id: string; name: string; role: Role }
export type SelectableProject = {
  id: string
  name: string
  role: Role
  workspace: { id: string; name: string }
}

/** More than anybody can look through; the search field narrows what is there. */
const most = 1000

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
    families.workspaces
      ? prisma().workspace.findMany({
          where: visibleWorkspaces(actor),
          select: { id: true, name: true, members: mine },
          orderBy: [{ name: 'asc' }, { id: 'asc' }],
          take: most,
        })
      : [],
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
    workspaces: workspaces.map(({ id, name, members }) => ({ id, name, role: members[0]?.role ?? 'VIEWER' })),
    projects: projects.map(({ id, name, members, workspace }) => ({
      id,
      name,
      role: higher(members[0]?.role, workspace.members[0]?.role) ?? 'VIEWER',
      workspace: { id: workspace.id, name: workspace.name },
    })),
  }
}
