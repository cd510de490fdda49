import { loadSelectable, type SelectableProject } from '@/lib/features/apps/authorizations/load-selectable'
import type { SessionActor } from '@/lib/policy/actor'
import { needsSelection } from '@/lib/policy/scopes'

type Option = { id: string; name: string; role: string; selected: boolean }
type Group = { heading?: string; options: Option[] }

/**
 * What a person can share with an app they authorized, as the pickers show it, with what is shared now selected.
 * @returns a kind that no scope of the authorization asks for is undefined
 */
export async function selectionGroups(
  actor: SessionActor,
  authorization: { scopes: string[]; workspaces: { id: string }[]; projects: { id: string }[] },
): Promise<{ workspaces: Group[] | undefined; projects: Group[] | undefined }> {
  const asks = {
    workspaces: needsSelection(authorization.scopes, 'workspace'),
    projects: needsSelection(authorization.scopes, 'project'),
  }
  const { workspaces, projects } = await loadSelectable(actor, asks)
  const shared = new Set([...authorization.workspaces, ...authorization.projects].map(({ id }) => id))
  const option = ({ id, name, role }: { id: string; name: string; role: string }): Option => ({
    id,
    name,
    role: role.charAt(0) + role.slice(1).toLowerCase(),
    selected: shared.has(id),
  })
  return {
    workspaces: asks.workspaces ? [{ options: workspaces.map(option) }] : undefined,
    projects: asks.projects ? byWorkspace(projects, option) : undefined,
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
