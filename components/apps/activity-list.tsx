import type { AppActivity } from '@/lib/features/apps/activity/list-activity'
import { activityKinds } from '@/lib/features/apps/activity/note-activity'
import { ListFooter, NoMatch } from '../lists/list-frame'
import { Badge, type Tone } from '../ui/badge'
import { Card } from '../ui/card'
import { cn } from '../ui/cn'
import { Copyable } from '../ui/copyable'
import { EmptyState } from '../ui/empty-state'
import { Activity } from '../ui/icon'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

const tones: Record<AppActivity['kind'], Tone> = {
  SIGNED_IN: 'success',
  GRANTED: 'success',
  CHANGED: 'info',
  DENIED: 'neutral',
  REVOKED: 'warning',
  REFUSED: 'danger',
}

/**
 * Lists an app's activity, newest first. For each event, shows the time, kind, user, details, and IP address.
 */
export function ActivityList({
  events,
  total,
  path,
  search,
  filtered,
  hrefs,
}: {
  events: AppActivity[]
  total: number
  /** The URL of the unfiltered list. */
  path: string
  /** The search text. */
  search: string
  /** Whether only one kind of event is listed. */
  filtered: boolean
  hrefs: { previous: string | undefined; next: string | undefined }
}) {
  if (events.length === 0) {
    return (
      <Card>
        {search || filtered ? (
          <NoMatch path={path} noun="event" search={search} filtered={filtered}>
            Choose another type, or change the search.
          </NoMatch>
        ) : (
          <EmptyState icon={Activity} title="No activity yet">
            Sign-ins, authorizations, and failed requests appear here for 30 days.
          </EmptyState>
        )}
      </Card>
    )
  }
  return (
    <Card className="overflow-clip">
      <Table
        caption="Activity"
        head={
          <>
            <Head>When</Head>
            <Head>Event</Head>
            <Head>User</Head>
            <Head>Detail</Head>
            <Head>IP address</Head>
          </>
        }
      >
        {events.map((event) => (
          <Row key={event.id}>
            <Cell muted className="whitespace-nowrap align-top">
              <Time at={event.createdAt} absolute />
            </Cell>
            <Cell className="align-top">
              <Badge tone={tones[event.kind]}>{activityKinds[event.kind]}</Badge>
            </Cell>
            <Cell className="min-w-32 align-top">
              <User event={event} />
            </Cell>
            <Cell className="wrap-anywhere min-w-52 align-top max-sm:col-span-full">
              <Detail event={event} />
            </Cell>
            <Cell muted className="whitespace-nowrap align-top text-[13px] tabular-nums">
              <span title={event.userAgent ?? undefined}>{event.ip ?? '–'}</span>
            </Cell>
          </Row>
        ))}
      </Table>
      <ListFooter {...hrefs} total={total} noun={['event', 'events']} since="in the last 30 days" />
    </Card>
  )
}

function User({ event: { name, email, userId } }: { event: AppActivity }) {
  if (!userId) return <span className="text-muted">Unknown</span>
  return (
    <span
      className={name ? 'wrap-anywhere' : 'block max-w-60 truncate'}
      title={name ? userId : (email ?? userId)}
    >
      {name || email ? <bdi>{name ?? email}</bdi> : <span className="font-mono text-[13px]">{userId}</span>}
    </span>
  )
}

function Detail({ event: { error, detail, scopes, traceId } }: { event: AppActivity }) {
  return (
    <div className="grid gap-0.5 text-[13px] leading-5">
      {detail && <span>{detail}</span>}
      {error && <span className={cn('font-mono', detail && 'text-muted')}>{error}</span>}
      {scopes.length > 0 && <span className="font-mono text-muted">{scopes.join(' ')}</span>}
      {traceId && (
        <span className="flex min-w-0 items-center gap-1 whitespace-nowrap text-muted">
          Trace ID <Copyable value={traceId} of="trace ID" mono />
        </span>
      )}
    </div>
  )
}
