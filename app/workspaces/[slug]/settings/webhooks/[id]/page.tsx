import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { DeliveryLog } from '@/components/webhooks/delivery-log'
import { LogActions } from '@/components/webhooks/log-actions'
import { SigningSecretSection } from '@/components/webhooks/signing-secret-section'
import { WebhookBadge } from '@/components/webhooks/state-badges'
import { StateSection } from '@/components/webhooks/state-section'
import { WebhookForm } from '@/components/webhooks/webhook-form'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listDeliveries } from '@/lib/features/webhooks/list-webhooks'
import { requireWebhook } from '@/lib/features/webhooks/require-webhook'
import * as actions from '../actions'

export const metadata: Metadata = { title: 'Webhook' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function WebhookPage({ params, searchParams }: Props) {
  const { slug, id } = await params
  const { actor, workspace, home } = await openWorkspace(
    slug,
    `/settings/webhooks/${id}`,
    'workspace:manage-webhooks',
  )
  const { workspaceId, url, events, disabledAt, ...webhook } = await orNotFound(requireWebhook(actor, id))
  if (workspaceId !== workspace.id) notFound()
  const page = pageOf(await searchParams)
  const { rows, ...sides } = await orNotFound(listDeliveries(actor, id, page))
  const listHref = `${home}/settings/webhooks`
  const href = `${listHref}/${id}`
  const hrefs = pageHrefs(href, {}, rows, sides)
  const ends = webhook.previousSecretExpiresAt
  const previousUntil = ends && ends > new Date() ? ends : null
  const disabled = disabledAt !== null
  return (
    <>
      <PageHeader
        title="Webhook"
        trail={[{ label: 'Webhooks', href: listHref }]}
        badge={<WebhookBadge disabled={disabled} />}
        description={<span className="wrap-anywhere font-mono text-[13px]">{url}</span>}
      />
      <Stack>
        <WebhookForm webhook={{ id, url, events }} action={actions.updateWebhookAction} />
        <SigningSecretSection
          place={{ id }}
          previousUntil={previousUntil}
          rotate={actions.rotateSecretAction}
        />
        <Section
          title="Delivery log"
          description="Newest first, kept for 30 days. Failed deliveries are retried for about 3 hours."
          action={<LogActions id={id} href={href} sendTest={disabled ? undefined : actions.sendTestAction} />}
          flush
        >
          {rows.length === 0 ? (
            <EmptyState title="Nothing sent yet">
              Send a test event to see whether messages arrive.
            </EmptyState>
          ) : (
            <DeliveryLog deliveries={rows} redeliver={disabled ? undefined : actions.redeliverAction} />
          )}
        </Section>
        {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of deliveries" />}
        <StateSection
          {...{ id, disabled, listHref }}
          change={actions.switchWebhookAction}
          remove={actions.deleteWebhookAction}
        />
      </Stack>
    </>
  )
}
