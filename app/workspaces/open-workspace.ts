import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { recentSlugs } from '@/lib/edges/web/console/preferences'
import { currentSession, requireSession } from '@/lib/edges/web/current-session'
import { listOpenedWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import { lacksTwoFactor } from '@/lib/policy/two-factor'

/** How many workspaces the rail lists in addition to those opened last. */
const offered = 12

/**
 * What the rail and the page say of workspaces, read once per request and bounded, however many the user has. See ADR 0030.
 * @param slug of the workspace whose page is open
 * @returns that one, those opened lately, and some others
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
 * The workspace a page is about.
 * @param below the rest of the page's address, for the way back after signing in
 * @param needed what one must be allowed to see the page at all; a guest, who only shares a project, is allowed nothing.
 *   What may be done is decided by the domain in any case; this keeps pages without a purpose from being shown.
 *   A session with one factor is sent to the page that says what a workspace asks for two
 * @returns the session, the workspace with the user's role, its address, and what the user may do there
 */
export async function openWorkspace(slug: string, below = '', needed?: WorkspacePermission) {
  const session = await requireSession(`/workspaces/${slug}${below}`)
  const workspace = (await openedWorkspaces(slug))?.current
  if (!workspace || (needed && !allows(workspace.role, needed))) notFound()
  if (workspace.requireTwoFactor && lacksTwoFactor(session.actor)) redirect(`/workspaces/${slug}/two-factor`)
  const may = (permission: WorkspacePermission) => allows(workspace.role, permission)
  return { ...session, workspace, home: `/workspaces/${slug}`, may }
}
