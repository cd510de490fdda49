import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { NewWebhookForm } from '@/components/webhooks/new-webhook-form'
import { createWebhookAction } from '../actions'

export const metadata: Metadata = { title: 'New webhook' }

export default async function NewWebhookPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/webhooks/new',
    'workspace:manage-webhooks',
  )
  const listHref = `${home}/settings/webhooks`
  return (
    <>
      <PageHeader title="New webhook" trail={[{ label: 'Webhooks', href: listHref }]} />
      <NewWebhookForm workspaceId={workspace.id} listHref={listHref} action={createWebhookAction} />
    </>
  )
}
