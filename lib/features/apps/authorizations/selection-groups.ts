import { needsSelection, type Role } from '@/lib/policy/scopes'
import { type AdmissionNote, projectNote, workspaceNote } from './admission-notes'
import type { SelectableProject, SelectableWorkspace } from './load-selectable'

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
