import type { Metadata } from 'next'
import { DeliverySection, deliveryStates } from '@/components/webhooks/delivery-section'
import { oneOf, pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listDeliveries } from '@/lib/features/webhooks/list-webhooks'
import { redeliverAction, sendTestAction } from '../actions'
import { openWebhook } from '../open-webhook'

export const metadata: Metadata = { title: 'Deliveries' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

const states = Object.keys(deliveryStates) as (keyof typeof deliveryStates)[]

export default async function DeliveriesPage({ params, searchParams }: Props) {
  const { actor, webhook, href, disabled } = await openWebhook(params)
  const { id } = webhook
  const query = await searchParams
  const state = oneOf(query, 'state', states)
  const { rows, ...sides } = await orNotFound(listDeliveries(actor, id, pageOf(query), { status: state }))
  return (
    <DeliverySection
      {...{ id, href, state }}
      deliveries={rows}
      hrefs={pageHrefs(href, { state: state ?? '' }, rows, sides)}
      sendTest={disabled ? undefined : sendTestAction}
      redeliver={disabled ? undefined : redeliverAction}
    />
  )
}
