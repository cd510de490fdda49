import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ChoiceFilter } from '../lists/choice-filter'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Pagination } from '../ui/pagination'
import { DeliveryLog, type ListedDelivery } from './delivery-log'
import { LogActions } from './log-actions'

/** What became of a delivery, as the log is narrowed by it. */
export const deliveryStates = { PENDING: 'Pending', DELIVERED: 'Delivered', FAILED: 'Failed' } as const

/** What a webhook was sent: narrowed, page by page, and each again. The actions are left out for one that is off. */
export function DeliverySection({
  id,
  href,
  state,
  deliveries,
  hrefs,
  sendTest,
  redeliver,
}: {
  id: string
  /** The webhook's page. */
  href: string
  /** What it is narrowed by. */
  state: keyof typeof deliveryStates | undefined
  deliveries: ListedDelivery[]
  hrefs: { previous: string | undefined; next: string | undefined }
  sendTest: FormAction | undefined
  redeliver: FormAction | undefined
}) {
  return (
    <>
      <Section
        title="Delivery log"
        description="Newest first, kept for 30 days. Failed deliveries are retried for about 3 hours."
        action={<LogActions id={id} href={href} sendTest={sendTest} />}
        flush
      >
        <div className="border-b px-4 py-2">
          <ChoiceFilter path={href} name="state" choices={deliveryStates} value={state} kept={{}} stays />
        </div>
        {deliveries.length > 0 ? (
          <DeliveryLog deliveries={deliveries} redeliver={redeliver} />
        ) : state ? (
          <EmptyState title={`Nothing ${deliveryStates[state].toLowerCase()}`}>
            Choose another state to see the rest.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing sent yet">Send a test event to see whether messages arrive.</EmptyState>
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of deliveries" />}
    </>
  )
}
