import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { recentSlugs } from '@/lib/edges/web/console/preferences'
import { currentSession, requireSession } from '@/lib/edges/web/current-session'
import { listOpenedWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import { lacksTwoFactor } from '@/lib/policy/two-factor'

/** The maximum number of workspaces that the rail lists in addition to the recently opened workspaces. */
const offered = 12

/**
 * Returns the workspaces for the rail and the page, read once per request. Returns only the open workspace,
 * recently opened workspaces, and up to 12 others, because a user can have many workspaces. Returns undefined
 * without a session.
 * @param slug the slug of the workspace whose page is open
 */
export const openedWorkspaces = cache(async (slug: string | undefined) => {
  const session = await currentSession()
  if (!session) return undefined
  const recent = await recentSlugs()
  const rows = await listOpenedWorkspaces(session.actor, slug ? [slug, ...recent] : recent, offered)
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  return {
    current: slug ? bySlug.get(slug) : undefined,
    recent: recent.map((one) => bySlug.get(one)).filter((row) => row !== undefined),
    rows,
  }
})

/**
 * Returns the workspace of a page. Users without a session are redirected to the sign-in page. Users without
 * access to the workspace or without the permission get a 404. A session without the required two-factor
 * authentication is redirected to a page that explains the requirement.
 * @param below the path below the workspace, to return to after the sign-in
 * @param needed the permission that the page requires. Guests have no permissions. This check only hides
 * pages. Every action checks permissions again.
 * @returns the session, the workspace with the user's role, its path, and a check of the user's permissions
 */
export async function openWorkspace(slug: string, below = '', needed?: WorkspacePermission) {
  const session = await requireSession(`/workspaces/${slug}${below}`)
  const workspace = (await openedWorkspaces(slug))?.current
  if (!workspace || (needed && !allows(workspace.role, needed))) notFound()
  if (workspace.requireTwoFactor && lacksTwoFactor(session.actor)) redirect(`/workspaces/${slug}/two-factor`)
  const may = (permission: WorkspacePermission) => allows(workspace.role, permission)
  return { ...session, workspace, home: `/workspaces/${slug}`, may }
}
