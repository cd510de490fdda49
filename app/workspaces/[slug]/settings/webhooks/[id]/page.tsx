import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { Stack } from '@/components/ui/stack'
import { DeliverySection, deliveryStates } from '@/components/webhooks/delivery-section'
import { SigningSecretSection } from '@/components/webhooks/signing-secret-section'
import { WebhookForm } from '@/components/webhooks/webhook-form'
import { StateSection, WebhookBadge } from '@/components/webhooks/webhook-table'
import { oneOf, pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listDeliveries } from '@/lib/features/webhooks/list-webhooks'
import * as actions from '../actions'
import { openWebhook } from '../open-webhook'

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { webhook } = await openWebhook(params)
  return { title: `Webhook · ${new URL(webhook.url).host}` }
}

const states = Object.keys(deliveryStates) as (keyof typeof deliveryStates)[]

export default async function WebhookPage({ params, searchParams }: Props) {
  const { actor, webhook, trail, listHref, href, disabled, previousUntil } = await openWebhook(params)
  const { id, url } = webhook
  const query = await searchParams
  const state = oneOf(query, 'state', states)
  const { rows, ...sides } = await orNotFound(listDeliveries(actor, id, pageOf(query), { status: state }))
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
        <DeliverySection
          {...{ id, href, state }}
          deliveries={rows}
          hrefs={pageHrefs(href, { state: state ?? '' }, rows, sides)}
          sendTest={disabled ? undefined : actions.sendTestAction}
          redeliver={disabled ? undefined : actions.redeliverAction}
        />
        <StateSection
          {...{ id, disabled, listHref }}
          change={actions.switchWebhookAction}
          remove={actions.deleteWebhookAction}
        />
      </Stack>
    </>
  )
}
