import { needsSelection } from '@/lib/policy/scopes'
import type { SelectableProject, SelectableWorkspace } from './load-selectable'

type Option = { id: string; name: string; role: string; selected: boolean }
/** Projects stand under the name of their workspace; workspaces need no heading. */
type Group = { heading?: string; options: Option[] }

/** What a person can choose from, as the pickers show it; a kind that no scope asks for is absent. */
export type SelectionGroups = { workspaces?: Group[]; projects?: Group[] }

type Families = { workspaces: boolean; projects: boolean }

/** Which kinds of things the scopes ask a person to select. */
export const selectableFamilies = (scopes: readonly string[]): Families => ({
  workspaces: needsSelection(scopes, 'workspace'),
  projects: needsSelection(scopes, 'project'),
})

/**
 * The groups of the pickers, on the consent page and in the settings of an app that was authorized before.
 * @param selectable what the person can share, in the order it is shown
 * @param selected the ids of what is selected at first
 */
export function selectionGroups(
  families: Families,
  selectable: { workspaces: SelectableWorkspace[]; projects: SelectableProject[] },
  selected: ReadonlySet<string>,
): SelectionGroups {
  const option = ({ id, name, role }: SelectableWorkspace): Option => ({
    id,
    name,
    role: role.charAt(0) + role.slice(1).toLowerCase(),
    selected: selected.has(id),
  })
  return {
    ...(families.workspaces ? { workspaces: [{ options: selectable.workspaces.map(option) }] } : {}),
    ...(families.projects ? { projects: byWorkspace(selectable.projects, option) } : {}),
  }
}

function byWorkspace(projects: SelectableProject[], option: (project: SelectableProject) => Option): Group[] {
  const groups = new Map<string, Group>()
  for (const project of projects) {
    const { id, name } = project.workspace
    const group = groups.get(id) ?? { heading: name, options: [] }
    group.options.push(option(project))
    groups.set(id, group)
  }
  return [...groups.values()]
}
