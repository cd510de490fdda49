import type { ReactNode } from 'react'
import { reachableWorkspaces } from '@/app/workspaces/open-workspace'
import { ListHeader } from '@/components/frame/list-header'
import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'
import { workspaceSettingsPages } from '@/lib/edges/web/console/console-pages'
import { currentSession } from '@/lib/edges/web/session/current-session'

/**
 * The tabs of a workspace's settings, over the pages that they name; a member who administers nothing sees one page and
 * no tabs. Who may see a page is decided by the page itself.
 */
export default async function SettingsLayout({
  params,
  children,
}: {
  params: Promise<{ slug: string }>
  children: ReactNode
}) {
  const { slug } = await params
  const session = await currentSession()
  const workspace = session && (await reachableWorkspaces(session.actor)).find((one) => one.slug === slug)
  if (!workspace) return children
  const items = workspaceSettingsPages(`/workspaces/${slug}`, workspace.role)
  return (
    <>
      <ListHeader>
        <PageHeader title="Settings" />
        {items.length > 1 && <SubNav label="Workspace settings" items={items} />}
      </ListHeader>
      {children}
    </>
  )
}
