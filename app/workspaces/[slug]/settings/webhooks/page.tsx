import { Webhook } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { GoButton } from '@/components/forms/go-button'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { WebhookTable } from '@/components/webhooks/webhook-table'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listWebhookStates } from '@/lib/features/webhooks/list-webhook-states'

export const metadata: Metadata = { title: 'Webhooks' }

export default async function WebhooksPage({ params }: { params: Promise<{ slug: string }> }) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/webhooks',
    'workspace:manage-webhooks',
  )
  const webhooks = await orNotFound(listWebhookStates(actor, workspace.id))
  const listHref = `${home}/settings/webhooks`
  const create = <GoButton href={`${listHref}/new`}>New webhook</GoButton>
  return (
    <Section
      title="Webhooks"
      description="Addresses that are told what happens in this workspace, as it happens."
      action={webhooks.length > 0 ? create : undefined}
      flush
    >
      {webhooks.length === 0 ? (
        <EmptyState icon={Webhook} title="No webhooks yet" action={create}>
          A webhook sends your service a signed message when a member, project, token or app changes.
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks} listHref={listHref} />
      )}
    </Section>
  )
}
