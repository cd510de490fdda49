import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { WebhookState } from '@/lib/features/webhooks/list-webhooks'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Breakable } from '../ui/breakable'
import { Section } from '../ui/card'
import { TextLink } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/** Lists the webhooks of a workspace or an app, each with a link to its page. */
export function WebhookTable({
  webhooks,
  listHref,
}: {
  webhooks: WebhookState[]
  /** The path prefix of the webhook pages. */
  listHref: string
}) {
  return (
    <Table
      caption="Webhooks"
      head={
        <>
          <Head>URL</Head>
          <Head>Events</Head>
          <Head>Status</Head>
          <Head>Last delivery</Head>
        </>
      }
    >
      {webhooks.map(({ id, url, events, disabledAt, last }) => (
        <Row key={id}>
          <Cell className="wrap-anywhere min-w-60">
            <TextLink href={`${listHref}/${id}`}>
              <Breakable text={url} />
            </TextLink>
          </Cell>
          <Cell className="min-w-40 font-mono text-[13px] max-sm:col-span-full">{events.join(', ')}</Cell>
          <Cell>
            <WebhookBadge disabled={disabledAt !== null} />
          </Cell>
          <Cell muted className="whitespace-nowrap">
            {last ? (
              <span className="flex items-center gap-2">
                <DeliveryBadge {...last} />
                <Time at={last.createdAt} />
              </span>
            ) : (
              'None yet'
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** Shows the state of a delivery. */
export function DeliveryBadge({
  status,
  attempts,
}: {
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  attempts: number
}) {
  if (status === 'DELIVERED') return <Badge tone="success">Delivered</Badge>
  if (status === 'FAILED') return <Badge tone="danger">Failed</Badge>
  return attempts > 0 ? <Badge tone="warning">Retrying</Badge> : <Badge>Pending</Badge>
}

/** Shows whether a webhook is disabled. */
export function WebhookBadge({ disabled }: { disabled: boolean }) {
  return disabled ? <Badge tone="warning">Disabled</Badge> : <Badge tone="success">Enabled</Badge>
}

/** Lets admins disable or enable a webhook, or delete it. */
export function StateSection({
  id,
  disabled,
  listHref,
  change,
  remove,
}: {
  id: string
  disabled: boolean
  /** The page to open after deletion. */
  listHref: string
  change: FormAction
  remove: FormAction
}) {
  return (
    <Section
      danger
      title="Disable or delete"
      description="While a webhook is disabled, its events are skipped, not queued."
    >
      <div className="flex flex-wrap gap-2 md:justify-end">
        <ActionButton
          action={change}
          fields={{ id, enabled: disabled ? 'on' : 'off' }}
          done={disabled ? 'Webhook enabled' : 'Webhook disabled'}
        >
          {disabled ? 'Enable webhook' : 'Disable webhook'}
        </ActionButton>
        <ConfirmAction
          trigger="Delete webhook"
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          done="Webhook deleted"
          action={remove}
          fields={{ id, back: listHref }}
        >
          <p>No more events will be sent, and the delivery log will be deleted. This can’t be undone.</p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
