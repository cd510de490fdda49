import { openWorkspace } from '@/app/workspaces/open-workspace'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireWorkspace } from '@/lib/policy/require'

/**
 * Returns the workspace of a members page, the path of the member list, and whether the user can manage
 * members. Users who cannot see the workspace's members get a 404.
 * @param below the path below the list, to return to after the sign-in
 * @param managed whether the page is for admins only
 */
export async function openMembers(params: Promise<{ slug: string }>, below = '', managed = false) {
  const needed = managed ? 'workspace:manage-members' : undefined
  const { user, ...opened } = await openWorkspace((await params).slug, `/members${below}`, needed)
  const { actor, workspace, home, may } = opened
  await orNotFound(requireWorkspace(actor, 'workspace:read-members', workspace.id))
  return { actor, user, workspace, home, path: `${home}/members`, admin: may('workspace:manage-members') }
}
