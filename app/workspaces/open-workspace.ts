import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-reachable-workspaces'
import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import { staysOutside } from '@/lib/policy/two-factor'

/** The workspaces of the person, read once per request, for the rail and for the page alike. See decision 033. */
export const reachableWorkspaces = cache(listReachableWorkspaces)

/**
 * The workspace a page is about.
 * @param below the rest of the page's address, for the way back after signing in
 * @param needed what one must be allowed to see the page at all; a guest, who only shares a project, is allowed nothing.
 *   What may be done is decided by the domain in any case; this keeps pages without a purpose from being shown.
 *   A session with one factor is sent to the page that says what a workspace asks for two
 * @returns the session, the workspace with the person's role, its address, and what the person may do there
 */
export async function openWorkspace(slug: string, below = '', needed?: WorkspacePermission) {
  const session = await requireSession(`/workspaces/${slug}${below}`)
  const workspace = (await reachableWorkspaces(session.actor)).find((one) => one.slug === slug)
  if (!workspace || (needed && !allows(workspace.role, needed))) notFound()
  if (workspace.requireTwoFactor && staysOutside(session.actor)) redirect(`/workspaces/${slug}/two-factor`)
  const may = (permission: WorkspacePermission) => allows(workspace.role, permission)
  return { ...session, workspace, home: `/workspaces/${slug}`, may }
}
