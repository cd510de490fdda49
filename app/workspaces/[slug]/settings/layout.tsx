import type { ReactNode } from 'react'
import { openedWorkspaces } from '@/app/workspaces/open-workspace'
import { AreaFrame } from '@/components/frame/area-frame'
import { workspaceSettingsPages } from '@/lib/edges/web/console/console-pages'

/**
 * The frame of a workspace's settings pages, with navigation between them. A user with access to a single
 * page sees no navigation. Each page checks access itself.
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
