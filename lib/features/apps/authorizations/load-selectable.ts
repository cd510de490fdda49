import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { higher, type Role } from '@/lib/policy/roles'
import { visibleProjects, workspaceReach } from '@/lib/policy/visible'

export type SelectableWorkspace = { id: string; name: string; role: Role }
export type SelectableProject = {
  id: string
  name: string
  role: Role
  workspace: { id: string; name: string }
}

/** More than anybody can look through; the search field narrows what is there. */
const most = 1000

/** As `visibleWorkspaces` (lib/policy/visible) says it, in one statement. */
const findWorkspaces = statement<
  SelectableWorkspace,
  [userId: string, only: readonly string[] | null, outside: boolean, most: number]
>(
  'selectable-workspaces',
  `SELECT w.id, w.name, wm.role
     FROM workspace_members wm JOIN workspaces w ON w.id = wm.workspace_id
    WHERE wm.user_id = $1 AND ($2::uuid[] IS NULL OR w.id = ANY($2)) AND NOT ($3 AND w.require_two_factor)
    ORDER BY w.name, w.id LIMIT $4`,
)

function visibleTo(actor: Actor): Promise<SelectableWorkspace[]> {
  const { userId, workspaceIds, outside } = workspaceReach(actor)
  return findWorkspaces(userId, workspaceIds ?? null, outside, most)
}

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
    families.workspaces ? visibleTo(actor) : [],
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
