import type { WebhookState } from '@/lib/features/webhooks/list-webhooks'
import { Cell, Head, Row, Table } from '../ui/table'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { DeliveryBadge, WebhookBadge } from './state-badges'

/** The webhooks of a workspace, each leading to its page. */
export function WebhookTable({
  webhooks,
  listHref,
}: {
  webhooks: WebhookState[]
  /** The address under which their pages lie. */
  listHref: string
}) {
  return (
    <Table
      caption="Webhooks"
      head={
        <>
          <Head>URL</Head>
          <Head>Events</Head>
          <Head>State</Head>
          <Head>Last delivery</Head>
        </>
      }
    >
      {webhooks.map(({ id, url, events, disabledAt, last }) => (
        <Row key={id}>
          <Cell className="wrap-anywhere min-w-60">
            <TextLink href={`${listHref}/${id}`}>{url}</TextLink>
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
