import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { requireSession } from '@/lib/edges/web/sign-in/current-session'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-reachable-workspaces'
import { type Role, reaches } from '@/lib/policy/roles'
import { staysOutside } from '@/lib/policy/two-factor'

/** The workspaces of the person, read once per request, for the rail and for the page alike. */
export const reachableWorkspaces = cache(listReachableWorkspaces)

/**
 * The workspace a page is about.
 * @param below the rest of the page's address, for the way back after signing in
 * @param needed the role it takes to see the page at all; a guest, who only shares a project, has none. What may be
 *   done is decided by the domain in any case; this keeps pages without a purpose from being shown
 *   A session with one factor is sent to the page that says what a workspace asks for two
 * @returns the session, the workspace with the person's role, and its address
 */
export async function openWorkspace(slug: string, below = '', needed?: Role) {
  const session = await requireSession(`/workspaces/${slug}${below}`)
  const workspace = (await reachableWorkspaces(session.actor)).find((one) => one.slug === slug)
  if (!workspace || (needed && !reaches(workspace.role ?? undefined, needed))) notFound()
  if (workspace.requireTwoFactor && staysOutside(session.actor)) redirect(`/workspaces/${slug}/two-factor`)
  return { ...session, workspace, home: `/workspaces/${slug}` }
}
