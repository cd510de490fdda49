import type { ReactNode } from 'react'
import { openedWorkspaces } from '@/app/workspaces/open-workspace'
import { AreaFrame } from '@/components/frame/area-frame'
import { workspaceSettingsPages } from '@/lib/edges/web/console/console-pages'

/**
 * The way between the pages of a workspace's settings; a member who administers nothing sees one page and no way. Who may
 * see a page is decided by the page itself.
 */
export default async function SettingsLayout({
  params,
  children,
}: {
  params: Promise<{ slug: string }>
  children: ReactNode
}) {
  const { slug } = await params
  const workspace = (await openedWorkspaces(slug))?.current
  if (!workspace) return children
  return (
    <AreaFrame
      label="Workspace settings"
      items={workspaceSettingsPages(`/workspaces/${slug}`, workspace.role)}
    >
      {children}
    </AreaFrame>
  )
}
