import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { NewAppForm } from '@/components/apps/new-app-form'
import { PageHeader } from '@/components/frame/page-header'
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
