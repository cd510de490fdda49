import { cursorOfPlace } from '@/lib/base/db/paging'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { Pagination } from '../ui/pagination'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type Request = {
  clientId: string
  name: string
  user: string
  scopes: string[]
  reason: string
  createdAt: Date
}

/** Lists the users who requested an app, to approve it on its page or to decline it here. */
export function RequestsSection({
  requests,
  workspaceId,
  path,
  decline,
}: {
  requests: Request[]
  workspaceId: string
  path: string
  decline: FormAction
}) {
  return (
    <Section title="Requests" description="Members are waiting for approval." flush>
      <Table
        caption="Requests"
        head={
          <>
            <Head>App</Head>
            <Head>Requested by</Head>
            <Head>Wants</Head>
            <Head>Reason</Head>
            <Head srOnly>Actions</Head>
          </>
        }
      >
        {requests.map(({ clientId, name, user, scopes, reason, createdAt }) => (
          <Row key={`${clientId} ${user} ${createdAt.getTime()}`}>
            <Cell className="wrap-anywhere font-medium">{name}</Cell>
            <Cell>
              <span className="grid">
                <span className="wrap-anywhere">{user}</span>
                <Time at={createdAt} className="text-[13px] text-muted" />
              </span>
            </Cell>
            <Cell className="break-words font-mono text-[13px] max-sm:col-span-full">
              {scopes.join(', ')}
            </Cell>
            <Cell className="wrap-anywhere max-sm:col-span-full">{reason || 'None given'}</Cell>
            <Cell numeric className="max-sm:col-span-full">
              <div className="flex justify-end gap-2 max-sm:justify-start">
                <ButtonLink href={`${path}/${encodeURIComponent(clientId)}`} size="small">
                  Review <span className="sr-only">{name}</span>
                </ButtonLink>
                <ConfirmAction
                  trigger="Decline"
                  triggerLabel={`Decline ${name}`}
                  triggerLook={{ size: 'small' }}
                  title={`Decline ${name}?`}
                  confirmLabel="Decline"
                  done="Declined"
                  action={decline}
                  fields={{ id: workspaceId, clientId }}
                >
                  <p>The users who requested it are notified.</p>
                  <TextField label="Message to them" name="word" optional maxLength={500} />
                </ConfirmAction>
              </div>
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}

/** Links to the previous and next page of a cursor list. Renders nothing if there is only one page. */
export function PlacedPages({
  places,
  sides,
  href,
  label,
}: {
  places: string[]
  sides: { hasPreviousPage: boolean; hasNextPage: boolean }
  /** Returns the URL of a page. @param side of the cursor on which the page starts */
  href: (side: 'before' | 'after', cursor: string) => string
  label: string
}) {
  if (!sides.hasPreviousPage && !sides.hasNextPage) return null
  const at = (side: 'before' | 'after', place: string | undefined) =>
    place === undefined ? undefined : href(side, cursorOfPlace(place))
  return (
    <Pagination
      previous={sides.hasPreviousPage ? at('before', places[0]) : undefined}
      next={sides.hasNextPage ? at('after', places.at(-1)) : undefined}
      label={label}
    />
  )
}
