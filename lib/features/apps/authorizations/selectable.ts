import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { byName } from '@/lib/base/language/languages'
import type { UserActor } from '@/lib/policy/actor'
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

/** A function that returns to what extent a workspace allows an app. */
export type Admissions = (app: JudgedApp, workspaceId: string) => Admission

type Row = Pick<AppRules, 'appPolicy'> & {
  id: string
  decisions: Record<string, AppDecision> | null
  transferring: string[] | null
}

/**
 * Reads the workspaces' app policies and their decisions about the apps. Runs at most one statement. While an
 * app's transfer is unfinished, the app does not count as any workspace's own app.
 * @returns a function that returns the admission of one of the apps to one of the workspaces. A workspace
 * that does not exist allows no app.
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

/** A short note about a workspace or project that does not allow an app or limits the app's access. */
export type AdmissionNote = {
  text: string
  /** Whether the workspace or project cannot be shared with the app. */
  closed: boolean
  /** Whether the user can ask an admin for approval. */
  askable: boolean
}

const closedNotes = {
  blocked: { text: 'Blocked here', closed: true, askable: false },
  'own-apps-only': { text: 'Own apps only', closed: true, askable: false },
  'not-approved': { text: 'Needs approval', closed: true, askable: true },
  ended: { text: 'Approval has expired', closed: true, askable: true },
} as const

const most: Record<Role, string> = { VIEWER: 'at most viewer', MEMBER: 'at most member', ADMIN: '' }

/**
 * Returns the note for a workspace, or undefined if the workspace allows the app all its workspace scopes.
 */
export function workspaceNote(admission: Admission, scopes: readonly string[]): AdmissionNote | undefined {
  return noteOf(admission, admittedToWorkspace(admission), roleFromScopes(new Set(scopes), 'workspace'))
}

/**
 * Returns the note for a project of the workspace, or undefined if the workspace allows the app all its
 * project scopes.
 */
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
  if (!admitted) return { text: 'Not covered by the approval', closed: true, askable: true }
  if (!asked || roleIncludes(admitted, asked)) return undefined
  return { text: most[admitted], closed: false, askable: true }
}

export type SelectableWorkspace = {
  id: string
  name: string
  role: Role
  /** To what extent the workspace allows the requesting app. */
  admission: Admission
}
export type SelectableProject = {
  id: string
  name: string
  role: Role
  /**
   * The project's workspace. `role` is the user's role in the workspace, or null if the user has a role only
   * in projects.
   */
  workspace: { id: string; name: string; role: Role | null }
  admission: Admission
}

type Placed = { id: string; name: string; workspace: { id: string; name: string } }

/**
 * Compares projects by workspace name and then by project name. The projects of each workspace stay together.
 */
const byPlace = (one: Placed, other: Placed): number =>
  one.workspace.id === other.workspace.id ? byName(one, other) : byName(one.workspace, other.workspace)

/**
 * The maximum number of workspaces and of projects in a selection list. Users could not work with a longer
 * list.
 */
const mostOfLoadSelectable = 1000

const findWorkspaces = statement<Omit<SelectableWorkspace, 'admission'>, [...WorkspaceValues, most: number]>(
  'selectable-workspaces',
  `SELECT w.id, w.name, wm.role
     FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}
    ORDER BY w.name, w.id LIMIT $6`,
)

/**
 * Returns the workspaces and projects that a user can see, up to 1,000 of each, in the natural order of their
 * names. Each has the user's current role and the extent to which its workspace allows the app. Includes
 * workspaces that do not allow the app, and their projects.
 * @param families the kinds to return; the list of any other kind is empty
 * @param app the app that the user shares resources with. If it is undefined, as for a token, no app policy
 * applies.
 */
export async function loadSelectable(
  actor: UserActor,
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
      workspace: { id: workspace.id, name: workspace.name, role: workspace.members[0]?.role ?? null },
      admission: admissionOf(workspace.id),
    })),
  }
}

/**
 * An option in a picker. `note` states the workspace's limits. `closed` means that the option cannot be
 * selected. `askable` means that the user can ask an admin to allow the app.
 */
type Option = {
  id: string
  name: string
  role: string
  /** The user's own role, which limits the app. */
  own: Role
  selected: boolean
  note?: string
  closed?: boolean
  askable?: boolean
}
/**
 * A group of options. Projects are grouped by workspace, whose ID and name are the group's ID and heading.
 * All workspaces are in one group without a heading.
 */
type Group = { id?: string; heading?: string; options: Option[] }

/**
 * The options in the pickers. `workspaces` is omitted if no scope requires workspaces, and `projects` is
 * omitted if no scope requires projects.
 */
export type SelectionGroups = { workspaces?: Group[]; projects?: Group[] }

type Named = { id: string; name: string; role: Role }

type Families = { workspaces: boolean; projects: boolean }

/**
 * A workspace whose admins can be asked for approval. `decides` is whether the user is one of these admins.
 */
type AskablePlace = { id: string; name: string; decides: boolean }

/** Returns the workspaces whose admins can be asked to allow the app or to extend its access. */
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
    const { role, ...place } = workspace
    places.set(place.id, { ...place, decides: role === 'ADMIN' })
  }
  return [...places.values()]
}

/** Returns for which kinds of resources the scopes require a selection. */
export const selectableFamilies = (scopes: readonly string[]): Families => ({
  workspaces: needsSelection(scopes, 'workspace'),
  projects: needsSelection(scopes, 'project'),
})

/**
 * Returns the groups of options in the pickers on the consent page and in the settings of an authorized app.
 * @param selectable the result of `loadSelectable`
 * @param selected the IDs of the initial selection. Options that cannot be selected are never preselected.
 * @param scopes the requested or authorized scopes
 */
export function selectionGroups(
  families: Families,
  selectable: { workspaces: SelectableWorkspace[]; projects: SelectableProject[] },
  selected: ReadonlySet<string>,
  scopes: readonly string[],
): SelectionGroups {
  const option = ({ id, name, role }: Named, admission: AdmissionNote | undefined): Option => ({
    id,
    name,
    role: role.charAt(0) + role.slice(1).toLowerCase(),
    own: role,
    selected: selected.has(id) && !admission?.closed,
    ...(admission && { note: admission.text, closed: admission.closed, askable: admission.askable }),
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

/** The workspaces and projects that a user shares with an app, with their names. */
export type NamedSelection = {
  workspaces: { id: string; name: string }[]
  projects: { id: string; name: string; workspaceName: string; workspaceId: string }[]
}

/**
 * Returns the workspaces and projects in a selection with their names, sorted by name. Omits deleted
 * resources, and resources in which the user no longer has a role. A workspace that requires two-factor
 * authentication is included even if the user signed in without it. Otherwise, the pages that show the
 * selection would hide access that the app still has.
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
