import type { ReactNode } from 'react'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'

/** The tabs of a workspace's settings; a member who administers nothing sees one page and no tabs. */
export default async function SettingsLayout({
  params,
  children,
}: {
  params: Promise<{ slug: string }>
  children: ReactNode
}) {
  const { workspace, home } = await openWorkspace((await params).slug, '/settings', 'VIEWER')
  const items = [
    { label: 'General', href: `${home}/settings`, exact: true },
    { label: 'Tokens', href: `${home}/settings/tokens` },
    { label: 'Developer', href: `${home}/settings/developer` },
    { label: 'Webhooks', href: `${home}/settings/webhooks` },
    { label: 'Audit log', href: `${home}/settings/audit-log` },
  ]
  return (
    <>
      <PageHeader title="Settings" />
      {workspace.role === 'ADMIN' && <SubNav label="Workspace settings" items={items} />}
      {children}
    </>
  )
}
