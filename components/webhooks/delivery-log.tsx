import { ChevronRight } from 'lucide-react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CodeBlock } from '../docs/code-block'
import { ActionButton } from '../forms/action-button'
import { Time } from '../ui/time'
import { DeliveryBadge } from './state-badges'

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
export function DeliveryLog({
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
            {responseStatus === null ? 'No answer' : `HTTP ${responseStatus}`} ·{' '}
            {attempts === 1 ? '1 attempt' : `${attempts} attempts`} · <Time at={createdAt} />
          </span>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-5">
        <CodeBlock title="Payload" code={JSON.stringify(payload, null, 2)} />
        {response ? (
          <CodeBlock title={responseStatus === null ? 'Error' : 'Response'} code={response} />
        ) : (
          <p className="text-muted">{attempts > 0 ? 'The answer had no body.' : 'Not sent yet.'}</p>
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
