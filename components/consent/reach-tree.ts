import type { PickerGroup, PickerOption } from './types'

/** A workspace with its projects: it can be chosen itself where a scope asks for workspaces. */
export type Branch = {
  id: string
  name: string
  workspace?: PickerOption | undefined
  projects: PickerOption[]
}

/**
 * Puts what can be chosen together as people think of it: each workspace once, its projects below it. A workspace that a
 * person has a project in and is no member of stands there by its name alone.
 */
export function reachTree(workspaces: PickerGroup[] = [], projects: PickerGroup[] = []): Branch[] {
  const branches = new Map<string, Branch>()
  for (const option of workspaces.flatMap((group) => group.options))
    branches.set(option.id, { id: option.id, name: option.name, workspace: option, projects: [] })
  for (const { id = '', heading = '', options } of projects) {
    const branch = branches.get(id) ?? { id, name: heading, projects: [] }
    branch.projects.push(...options)
    branches.set(id, branch)
  }
  return [...branches.values()]
}
