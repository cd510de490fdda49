import { redirect } from 'next/navigation'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { reachableWorkspaces } from './workspaces/open-workspace'

/** The start: a person's first workspace, or the form that makes one. Strangers sign in first. */
export default async function StartPage() {
  const { actor } = await requireSession('/')
  const [first] = await reachableWorkspaces(actor)
  redirect(first ? `/workspaces/${first.slug}` : '/workspaces/new')
}
