import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { byName } from '@/lib/base/language/languages'
import type { PersonActor } from '@/lib/policy/actor'
import {
  type Admission,
  type AppDecision,
  type AppRules,
  admissionOf,
  admittedToProject,
  admittedToWorkspace,
  type JudgedApp,
  rulesForAppsColumns,
} from '@/lib/policy/app-policy'
import { higher, needsSelection, type Role, roleFromScopes, roleIncludes } from '@/lib/policy/scopes'
import {
  knownProjects,
  knownWorkspaces,
  roleInWorkspace,
  visibleProjects,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceValues,
} from '@/lib/policy/visible'

/** How far a workspace lets an app in. */
export type Admissions = (app: JudgedApp, workspaceId: string) => Admission

type Row = Pick<AppRules, 'appPolicy'> & {
  id: string
  decisions: Record<string, AppDecision> | null
  transferring: string[] | null
}

/**
 * Reads what workspaces decided about apps, for pages that show or change an app's access. One statement, or none. An app with an
 * unfinished transfer counts as no workspace's own.
 * @returns a function from an app and one of the workspaces to its admission; an unknown workspace admits nothing
 */
export async function loadAdmissions(
  db: Db,
  apps: readonly JudgedApp[],
  workspaceIds: readonly string[],
): Promise<Admissions> {
  const rows =
    workspaceIds.length === 0
      ? []
      : await db.$queryRawUnsafe<Row[]>(
          `SELECT w.id, ${rulesForAppsColumns('$2::text[]')},
                  ARRAY(SELECT c.id FROM oauth_clients c
                         WHERE c.id = ANY($2::text[]) AND c.transferred_at IS NOT NULL) AS transferring
             FROM workspaces w WHERE w.id = ANY($1::uuid[])`,
          workspaceIds,
          apps.map(({ clientId }) => clientId),
        )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (app, workspaceId) => {
    const row = byId.get(workspaceId)
    if (!row) return { kind: 'closed', reason: 'own-apps-only' }
    const { appPolicy, decisions, transferring } = row
    const judged = transferring?.includes(app.clientId) ? { ...app, workspaceId: null } : app
    return admissionOf(judged, workspaceId, { appPolicy, appDecision: decisions?.[app.clientId] ?? null })
  }
}

/** What people are told of a workspace or project that does not let an app in, or not so far; in few words. */
export type AdmissionNote = {
  text: string
  /** Nothing can be shared here. */
  closed: boolean
  /** An admin can be asked. */
  askable: boolean
}

const closedNotes = {
  blocked: { text: 'Blocked here', closed: true, askable: false },
  'own-apps-only': { text: 'Own apps only', closed: true, askable: false },
  'not-approved': { text: 'Needs approval', closed: true, askable: true },
  ended: { text: 'Approval has ended', closed: true, askable: true },
} as const

const most: Record<Role, string> = { VIEWER: 'at most viewer', MEMBER: 'at most member', ADMIN: '' }

/** @returns undefined where the app comes in as far as its scopes go */
export function workspaceNote(admission: Admission, scopes: readonly string[]): AdmissionNote | undefined {
  return noteOf(admission, admittedToWorkspace(admission), roleFromScopes(new Set(scopes), 'workspace'))
}

/** The same for a project of the workspace. */
export function projectNote(
  admission: Admission,
  projectId: string,
  scopes: readonly string[],
): AdmissionNote | undefined {
  const asked = roleFromScopes(new Set(scopes), 'project')
  return noteOf(admission, admittedToProject(admission, projectId), asked)
}

function noteOf(admission: Admission, admitted: Role | undefined, asked: Role | undefined) {
  if (admission.kind === 'closed') return closedNotes[admission.reason]
  if (!admitted) return { text: 'Not in the approval', closed: true, askable: true }
  if (!asked || roleIncludes(admitted, asked)) return undefined
  return { text: most[admitted], closed: false, askable: true }
}

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
const mostOfLoadSelectable = 1000

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
    families.workspaces ? findWorkspaces(...workspaceValues(actor), mostOfLoadSelectable) : [],
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
          take: mostOfLoadSelectable,
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

/** `note`: what the workspace limits. `closed`: it cannot be chosen; `askable`: an admin can be asked to let the app in. */
type Option = {
  id: string
  name: string
  role: string
  /** The same as a value: no app gets more there than this. */
  own: Role
  selected: boolean
  note?: string
  closed?: boolean
  askable?: boolean
}
/** Projects stand under the name of their workspace, whose id is the group's; workspaces need no heading. */
type Group = { id?: string; heading?: string; options: Option[] }

/** What a person can choose from, as the pickers show it; a kind that no scope asks for is absent. */
export type SelectionGroups = { workspaces?: Group[]; projects?: Group[] }

type Named = { id: string; name: string; role: Role }

type Families = { workspaces: boolean; projects: boolean }

/** `decides`: the person is one of those admins. */
type AskablePlace = { id: string; name: string; decides: boolean }

/** The workspaces whose admins can be asked to let the app in, or further in. */
export function askablePlaces(
  { workspaces, projects }: { workspaces: SelectableWorkspace[]; projects: SelectableProject[] },
  scopes: readonly string[],
): AskablePlace[] {
  const places = new Map<string, AskablePlace>()
  for (const { id, name, role, admission } of workspaces) {
    if (workspaceNote(admission, scopes)?.askable) places.set(id, { id, name, decides: role === 'ADMIN' })
  }
  for (const { id, workspace, admission } of projects) {
    if (places.has(workspace.id) || !projectNote(admission, id, scopes)?.askable) continue
    places.set(workspace.id, { ...workspace, decides: false })
  }
  return [...places.values()]
}

/** Which kinds of things the scopes ask a person to select. */
export const selectableFamilies = (scopes: readonly string[]): Families => ({
  workspaces: needsSelection(scopes, 'workspace'),
  projects: needsSelection(scopes, 'project'),
})

/**
 * The groups of the pickers, on the consent page and in the settings of an app that was authorized before.
 * @param selectable what the person can share, in the order it is shown
 * @param selected the ids of what is selected at first
 * @param scopes what the app asks for, or may do
 */
export function selectionGroups(
  families: Families,
  selectable: { workspaces: SelectableWorkspace[]; projects: SelectableProject[] },
  selected: ReadonlySet<string>,
  scopes: readonly string[],
): SelectionGroups {
  const option = ({ id, name, role }: Named, told: AdmissionNote | undefined): Option => ({
    id,
    name,
    role: role.charAt(0) + role.slice(1).toLowerCase(),
    own: role,
    selected: selected.has(id) && !told?.closed,
    ...(told && { note: told.text, closed: told.closed, askable: told.askable }),
  })
  const workspace = (each: SelectableWorkspace) => option(each, workspaceNote(each.admission, scopes))
  const project = (each: SelectableProject) => option(each, projectNote(each.admission, each.id, scopes))
  return {
    ...(families.workspaces ? { workspaces: [{ options: selectable.workspaces.map(workspace) }] } : {}),
    ...(families.projects ? { projects: byWorkspace(selectable.projects, project) } : {}),
  }
}

function byWorkspace(projects: SelectableProject[], option: (project: SelectableProject) => Option): Group[] {
  const groups = new Map<string, Group>()
  for (const project of projects) {
    const { id, name } = project.workspace
    const group = groups.get(id) ?? { id, heading: name, options: [] }
    group.options.push(option(project))
    groups.set(id, group)
  }
  return [...groups.values()]
}

/** What a person shares with an app, by name. */
export type NamedSelection = {
  workspaces: { id: string; name: string }[]
  projects: { id: string; name: string; workspaceName: string; workspaceId: string }[]
}

/**
 * Names the workspaces and projects that are shared with apps, sorted by name. What is gone, or what the person has no
 * role in any more, is not shared and drops out. What asks for two factors is named to whoever shared it, in any session: a
 * page that left it out would hide what the app still reaches.
 */
export async function nameSelection(
  userId: string,
  selection: { workspaceIds: string[]; projectIds: string[] },
): Promise<NamedSelection> {
  const { workspaceIds, projectIds } = selection
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? []
      : prisma().workspace.findMany({
          where: { AND: [knownWorkspaces(userId), { id: { in: workspaceIds } }] },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
    projectIds.length === 0
      ? []
      : prisma().project.findMany({
          where: { AND: [knownProjects(userId), { id: { in: projectIds } }] },
          select: { id: true, name: true, workspaceId: true, workspace: { select: { name: true } } },
          orderBy: { name: 'asc' },
        }),
  ])
  return {
    workspaces,
    projects: projects.map(({ workspace, ...project }) => ({ ...project, workspaceName: workspace.name })),
  }
}
