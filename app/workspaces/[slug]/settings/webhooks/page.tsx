import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { GoButton } from '@/components/forms/creation-form'
import { ListFrame } from '@/components/lists/list-frame'
import { Webhook } from '@/components/ui/icon'
import { WebhookTable } from '@/components/webhooks/webhook-table'
import { type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listWebhookStates } from '@/lib/features/webhooks/list-webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WebhooksPage({ params, searchParams }: Props) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/webhooks',
    'workspace:manage-webhooks',
  )
  const search = searchOf(await searchParams)
  const rows = await orNotFound(listWebhookStates(actor, workspace.id, { text: search }))
  const path = `${home}/settings/webhooks`
  const create = <GoButton href={`${path}/new`}>New webhook</GoButton>
  return (
    <ListFrame
      path={path}
      noun={['webhook', 'webhooks']}
      // The list is not paginated, because a workspace can have only a few webhooks.
      page={{ rows, number: 1, size: Math.max(rows.length, 1), total: rows.length }}
      search={search}
      action={create}
      empty={{
        icon: Webhook,
        title: 'No webhooks yet',
        text: 'Webhooks send your service a signed message when a member, project, token, or app changes.',
        action: create,
      }}
    >
      <WebhookTable webhooks={rows} listHref={path} />
    </ListFrame>
  )
}
