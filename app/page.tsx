import { redirect } from 'next/navigation'
import { requireSession } from '@/lib/edges/web/current-session'
import { openedWorkspaces } from './workspaces/open-workspace'

/** The start: the workspace that the user opened last, or any of theirs, or the form that makes one. Strangers sign in first. */
export default async function StartPage() {
  await requireSession('/')
  const opened = await openedWorkspaces(undefined)
  const first = opened?.recent[0] ?? opened?.rows[0]
  redirect(first ? `/workspaces/${first.slug}` : '/workspaces/new')
}
