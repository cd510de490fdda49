import { ChevronRight } from 'lucide-react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CodeBlock } from '../docs/code-block'
import { ActionButton } from '../forms/action-button'
import { ChoiceFilter } from '../lists/filters'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Pagination } from '../ui/pagination'
import { Time } from '../ui/time'
import { DeliveryBadge } from './webhook-table'

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
          <EmptyState title={`No ${deliveryStates[state].toLowerCase()} deliveries`}>
            Choose another status to see other deliveries.
          </EmptyState>
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

/** What a webhook was sent, each with its message and what came back. `redeliver` is left out for one that is off. */
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
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
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

/** What there is to do about a webhook's log: see what came meanwhile, and try whether messages arrive. */
function LogActions({
  id,
  href,
  sendTest,
}: {
  id: string
  /** The webhook's page. */
  href: string
  /** Left out for a webhook that is off. */
  sendTest: FormAction | undefined
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={href} prefetch={false} scroll={false}>
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
