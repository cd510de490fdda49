import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { NewAppForm } from '@/components/oauth-apps/new-app-form'
import { createAppAction } from '../actions'

export const metadata: Metadata = { title: 'New OAuth App' }

export default async function NewAppPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/developer/new',
    'workspace:manage-apps',
  )
  const developerHref = `${home}/settings/developer`
  return (
    <>
      <PageHeader title="New OAuth App" trail={[{ label: 'Developer', href: developerHref }]} />
      <NewAppForm workspaceId={workspace.id} developerHref={developerHref} action={createAppAction} />
    </>
  )
}
