import type { Actor } from '@/lib/policy/actor'
import { requireProject, requireWorkspace } from '@/lib/policy/require'

/** What people are invited to. */
export type Invitable = { workspaceId: string; projectId: string | null; name: string }

/**
 * Requires the right to invite to a workspace, or to one project: ADMIN there.
 * @throws as `authorizeWorkspace` or `authorizeProject`
 */
export async function requireInvitable(
  actor: Actor,
  to: { workspaceId?: string | null; projectId?: string | null },
): Promise<Invitable> {
  if (to.projectId != null) {
    const project = await requireProject(actor, 'project:manage-members', to.projectId)
    return { workspaceId: project.workspaceId, projectId: project.id, name: project.name }
  }
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', to.workspaceId ?? '')
  return { workspaceId: workspace.id, projectId: null, name: workspace.name }
}
