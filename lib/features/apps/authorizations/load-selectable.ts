import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { byName } from '@/lib/base/language/languages'
import type { PersonActor } from '@/lib/policy/actor'
import type { Admission, JudgedApp } from '@/lib/policy/app-policy'
import { higher, type Role } from '@/lib/policy/scopes'
import {
  roleInWorkspace,
  visibleProjects,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceValues,
} from '@/lib/policy/visible'
import { loadAdmissions } from './load-admissions'

export type SelectableWorkspace = {
  id: string
  name: string
  role: Role
  /** How far it lets in the app that asks. */
  admission: Admission
}
export type SelectableProject = {
  id: string
  name: string
  role: Role
  workspace: { id: string; name: string }
  admission: Admission
}

type Placed = { id: string; name: string; workspace: { id: string; name: string } }

/** The projects of a workspace stay together. */
const byPlace = (one: Placed, other: Placed): number =>
  one.workspace.id === other.workspace.id ? byName(one, other) : byName(one.workspace, other.workspace)

/** More than anybody can look through; the search field narrows what is there. */
const most = 1000

const findWorkspaces = statement<Omit<SelectableWorkspace, 'admission'>, [...WorkspaceValues, most: number]>(
  'selectable-workspaces',
  `SELECT w.id, w.name, wm.role
     FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}
    ORDER BY w.name, w.id LIMIT $6`,
)

/**
 * The workspaces and projects a person can share with an app, with their current role in each, in natural order.
 * @param families which of the two the scopes ask for; the other list comes back empty
 * @param app whom it would be shared with; nobody, where a token is made
 */
export async function loadSelectable(
  actor: PersonActor,
  families: { workspaces: boolean; projects: boolean },
  app?: JudgedApp,
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
  const admits = app
    ? await loadAdmissions(
        prisma(),
        [app],
        [...workspaces.map(({ id }) => id), ...new Set(projects.map((each) => each.workspace.id))],
      )
    : undefined
  const admissionOf = (id: string): Admission => (app && admits ? admits(app, id) : { kind: 'whole' })
  return {
    workspaces: workspaces.sort(byName).map((each) => ({ ...each, admission: admissionOf(each.id) })),
    projects: projects.sort(byPlace).map(({ id, name, members, workspace }) => ({
      id,
      name,
      role: higher(members[0]?.role, workspace.members[0]?.role) ?? 'VIEWER',
      workspace: { id: workspace.id, name: workspace.name },
      admission: admissionOf(workspace.id),
    })),
  }
}
