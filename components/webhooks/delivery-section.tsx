import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CodeBlock } from '../docs/code-block'
import { ActionButton } from '../forms/action-button'
import { ChoiceFilter } from '../lists/filters'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { ChevronRight } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { Time } from '../ui/time'
import { DeliveryBadge } from './webhook-table'

/** The delivery states by which the log can be filtered, with their labels. */
export const deliveryStates = { PENDING: 'Pending', DELIVERED: 'Delivered', FAILED: 'Failed' } as const

const noneIn = {
  PENDING: 'No pending deliveries',
  DELIVERED: 'No successful deliveries',
  FAILED: 'No failed deliveries',
} as const

/**
 * Lists one page of a webhook's deliveries, with a filter and links to other pages. If the webhook is
 * disabled, the actions `sendTest` and `redeliver` are undefined, and their buttons are omitted.
 */
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
  /** The path of the webhook's page. */
  href: string
  /** The selected filter. */
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
        description="Newest first, kept for 30 days. Failed deliveries are retried for 3 to 6 hours."
        action={<LogActions id={id} href={state ? `${href}?state=${state}` : href} sendTest={sendTest} />}
        flush
      >
        <div className="border-b px-4 py-2">
          <ChoiceFilter
            path={href}
            name="state"
            label="status"
            choices={deliveryStates}
            value={state}
            kept={{}}
            stays
          />
        </div>
        {deliveries.length > 0 ? (
          <DeliveryLog deliveries={deliveries} redeliver={redeliver} />
        ) : state ? (
          <EmptyState title={noneIn[state]}>Choose another status to see other deliveries.</EmptyState>
        ) : (
          <EmptyState title="No deliveries yet">Send a test event to check delivery.</EmptyState>
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of deliveries" />}
    </>
  )
}

export type ListedDelivery = {
  id: string
  event: string
  payload: unknown
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: number
  responseStatus: number | null
  response: string | null
  createdAt: Date
  lastAttemptAt: Date | null
}

/** Lists deliveries, each with its message and response. `redeliver` is undefined for a disabled webhook. */
function DeliveryLog({
  deliveries,
  redeliver,
}: {
  deliveries: ListedDelivery[]
  redeliver: FormAction | undefined
}) {
  return (
    <ul aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="border-b last:border-b-0">
          <Delivery {...delivery} redeliver={redeliver} />
        </li>
      ))}
    </ul>
  )
}

function Delivery({
  id,
  event,
  payload,
  status,
  attempts,
  responseStatus,
  response,
  createdAt,
  lastAttemptAt,
  redeliver,
}: ListedDelivery & { redeliver: FormAction | undefined }) {
  return (
    <details className="group">
      <summary className="flex cursor-pointer list-none items-center gap-2.5 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-44 font-mono text-[13px]">{event}</span>
          <DeliveryBadge status={status} attempts={attempts} />
          <span className="text-[13px] text-muted tabular-nums">
            {responseStatus === null ? 'No response' : `HTTP ${responseStatus}`} ·{' '}
            {attempts === 1 ? '1 attempt' : `${attempts} attempts`} · <Time at={createdAt} />
          </span>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-5">
        <CodeBlock title="Payload" code={JSON.stringify(payload, null, 2)} />
        {response ? (
          <CodeBlock title={responseStatus === null ? 'Error' : 'Response'} code={response} />
        ) : (
          <p className="text-muted">{attempts > 0 ? 'The response had no body.' : 'Not sent yet.'}</p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3 text-[13px] text-muted">
          <span>
            {lastAttemptAt && (
              <>
                Last attempt <Time at={lastAttemptAt} />
              </>
            )}
          </span>
          {redeliver && (
            <ActionButton action={redeliver} fields={{ id }} done="Queued again" look={{ size: 'small' }}>
              Redeliver
            </ActionButton>
          )}
        </div>
      </div>
    </details>
  )
}

/** A link that opens the first page of the unfiltered log again, and a button that sends a test message. */
function LogActions({
  id,
  href,
  sendTest,
}: {
  id: string
  /** The URL of the webhook's page with the selected filter. */
  href: string
  /** The action that sends a test message; undefined for a disabled webhook. */
  sendTest: FormAction | undefined
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={href} scroll={false}>
        Refresh
      </ButtonLink>
      {sendTest && (
        <ActionButton action={sendTest} fields={{ id }} done="Test event queued">
          Send test event
        </ActionButton>
      )}
    </div>
  )
}
