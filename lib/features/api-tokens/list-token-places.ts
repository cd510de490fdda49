import { loadSelectable } from '@/lib/features/apps/authorizations/load-selectable'
import type { SessionActor } from '@/lib/policy/actor'
import { permissions } from '@/lib/policy/permissions'
import { reaches } from '@/lib/policy/scopes'

/** What a token can be confined to: a workspace, or one project. */
export type TokenPlace =
  | { kind: 'workspace'; id: string; name: string }
  | { kind: 'project'; id: string; name: string; workspace: string }

/**
 * The places a person can make a token for: their workspaces by name, each followed by those of its projects whose tokens
 * they manage; after them projects of workspaces in which they have no role.
 */
export async function listTokenPlaces(actor: SessionActor): Promise<TokenPlace[]> {
  const { workspaces, projects } = await loadSelectable(actor, { workspaces: true, projects: true })
  const managed = projects.filter(({ role }) => reaches(role, permissions['project:manage-tokens'].role))
  const places = new Map<string, TokenPlace[]>(
    workspaces.map(({ id, name }) => [id, [{ kind: 'workspace', id, name }]]),
  )
  for (const { id, name, workspace } of managed) {
    const place = { kind: 'project', id, name, workspace: workspace.name } as const
    places.set(workspace.id, [...(places.get(workspace.id) ?? []), place])
  }
  return [...places.values()].flat()
}
