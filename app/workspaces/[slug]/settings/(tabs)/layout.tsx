import type { ReactNode } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'
import { workspaceSettingsPages } from '@/lib/edges/web/console/console-pages'

/** The tabs of a workspace's settings; a member who administers nothing sees one page and no tabs. */
export default async function SettingsLayout({
  params,
  children,
}: {
  params: Promise<{ slug: string }>
  children: ReactNode
}) {
  const { workspace, home } = await openWorkspace((await params).slug, '/settings', 'VIEWER')
  const items = workspaceSettingsPages(home, workspace.role)
  return (
    <>
      <PageHeader title="Settings" />
      {items.length > 1 && <SubNav label="Workspace settings" items={items} />}
      {children}
    </>
  )
}
