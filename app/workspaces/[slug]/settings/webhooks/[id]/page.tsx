import type { Metadata } from 'next'
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
import * as actions from '../actions'
import { openWebhook } from '../open-webhook'

export const metadata: Metadata = { title: 'Webhook' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function WebhookPage({ params, searchParams }: Props) {
  const { actor, webhook, trail, listHref, href, disabled, previousUntil } = await openWebhook(params)
  const { id, url } = webhook
  const page = pageOf(await searchParams)
  const { rows, ...sides } = await orNotFound(listDeliveries(actor, id, page))
  const hrefs = pageHrefs(href, {}, rows, sides)
  return (
    <>
      <PageHeader
        title="Webhook"
        trail={trail}
        badge={<WebhookBadge disabled={disabled} />}
        description={<span className="wrap-anywhere font-mono text-[13px]">{url}</span>}
      />
      <Stack>
        <WebhookForm webhook={webhook} action={actions.updateWebhookAction} />
        <SigningSecretSection
          place={{ id }}
          previousUntil={previousUntil}
          rotate={actions.rotateSecretAction}
        />
        <Section
          title="Delivery log"
          description="The newest come first, and are kept for 30 days. What fails is tried again for about three hours."
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
