import { redirect } from 'next/navigation'
import { requireSession } from '@/lib/edges/web/current-session'
import { openedWorkspaces } from './workspaces/open-workspace'

/**
 * The start page. It redirects to the workspace that the user opened last, to another workspace, or to the
 * form that creates a workspace. Without a session, it redirects to the sign-in page.
 */
export default async function StartPage() {
  await requireSession('/')
  const opened = await openedWorkspaces(undefined)
  const first = opened?.recent[0] ?? opened?.rows[0]
  redirect(first ? `/workspaces/${first.slug}` : '/workspaces/new')
}
