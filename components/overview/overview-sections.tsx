import type { ReactNode } from 'react'
import type { RecentPlace } from '@/lib/features/workspaces/list-places'
import type { ListedEvent } from '../audit/event-log'
import { ActionText } from '../audit/event-text'
import { describeAction } from '../audit/event-words'
import { type ListedPlace, PlaceList } from '../lists/place-list'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Breakable } from '../ui/breakable'
import { Section } from '../ui/card'
import { cn } from '../ui/cn'
import { EmptyState } from '../ui/empty-state'
import { LastUsed } from '../ui/expiry'
import { CircleCheck, FolderClosed } from '../ui/icon'
import { Link, TextLink } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { AttentionList, type workspaceProblems } from './attention'

/**
 * The sections of a workspace's home, starting with its problems. Empty sections are omitted, except the list
 * of projects.
 */
export function OverviewSections({
  attention,
  days,
  recent,
  counts,
  events,
  expiring,
  places,
  home,
  create,
  calm,
}: {
  attention: ReturnType<typeof workspaceProblems>
  days: { day: string; authorizations: number; requests: number; errors: number }[]
  recent: { projects: RecentPlace[]; apps: RecentPlace[] }
  counts: { projects: number; apps: number }
  events: FeedEvent[]
  expiring: Expiring[]
  places: { developer: string; tokens: string }
  /** The workspace's URL. */
  home: string
  /** The button that creates the first project. */
  create: ReactNode
  /**
   * Whether to show the figures of the last seven days and, if there are no problems, a sentence that says
   * so.
   */
  calm: boolean
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {attention.total > 0 && (
        <Section title={`Needs attention (${attention.total.toLocaleString('en')})`} flush>
          <AttentionList items={attention.items} more={attention.more} />
        </Section>
      )}
      {attention.total === 0 && calm && (
        <p className="flex items-center gap-2.5 rounded-card border border-success-line bg-success-soft px-4 py-2.5 text-[13px]">
          <CircleCheck className="size-4 shrink-0 text-success" />
          You’re all caught up.
        </p>
      )}
      {calm && days.length > 0 && (
        <section aria-label="Last 7 days" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="font-semibold text-[15px] leading-[22px]">Last 7 days</h2>
            <TextLink href={`${home}/settings/usage?range=7d`}>All usage</TextLink>
          </div>
          <FigureRow
            figures={[
              { label: 'Sign-ins', days: days.map(({ authorizations }) => authorizations) },
              { label: 'API requests from your apps', days: days.map(({ requests }) => requests) },
              { label: 'Errors', days: days.map(({ errors }) => errors), bad: true },
            ]}
          />
        </section>
      )}
      <div
        className={
          events.length > 0
            ? 'grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,320px)]'
            : ''
        }
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
          <Section
            title={counts.projects > recent.projects.length ? 'Recent projects' : 'Projects'}
            action={allOf(counts.projects, recent.projects, 'projects', `${home}/projects`)}
            flush
          >
            {recent.projects.length > 0 ? (
              <PlaceList label="Projects" places={recent.projects.map(recentProject(home))} />
            ) : (
              <EmptyState icon={FolderClosed} title="No projects yet" action={create}>
                {create && 'You can give apps and tokens access to individual projects.'}
              </EmptyState>
            )}
          </Section>
          {recent.apps.length > 0 && (
            <Section
              title={counts.apps > recent.apps.length ? 'Recent OAuth apps' : 'OAuth apps'}
              action={allOf(counts.apps, recent.apps, 'OAuth apps', places.developer)}
              flush
            >
              <PlaceList label="OAuth apps" places={recent.apps.map(recentApp(places.developer))} />
            </Section>
          )}
        </div>
        {events.length > 0 && (
          <section aria-labelledby="activity" className="min-w-0">
            <div className="mb-2 flex items-baseline justify-between gap-3">
              <h2 id="activity" className="font-semibold text-[15px] leading-[22px]">
                Activity
              </h2>
              <TextLink href={`${home}/settings/audit-log`}>All activity</TextLink>
            </div>
            <ActivityFeed events={events} />
          </section>
        )}
      </div>
      {expiring.length > 0 && (
        <Section title="Expiring soon" action={<TextLink href={places.tokens}>All tokens</TextLink>} flush>
          <ExpiringTable items={expiring} />
        </Section>
      )}
      <p className="text-[13px] text-muted">
        Let Claude, Cursor, and other agents work in this workspace.{' '}
        <TextLink href="/account/agents">Connect an agent</TextLink>
      </p>
    </div>
  )
}

const allOf = (total: number, shown: readonly unknown[], noun: string, href: string) =>
  total > shown.length ? (
    <TextLink href={href}>
      All {total.toLocaleString('en')} {noun}
    </TextLink>
  ) : undefined

const recentProject =
  (home: string) =>
  ({ id, name, about }: RecentPlace): ListedPlace => ({ id, name, about, href: `${home}/projects/${id}` })

const recentApp =
  (developer: string) =>
  ({ id, name, about, logoUrl, logoDarkUrl }: RecentPlace): ListedPlace => ({
    id,
    name,
    logoUrl,
    logoDarkUrl,
    href: `${developer}/${id}/overview`,
    badge: <Badge>{about === 'WEB' ? 'Web' : 'Native'}</Badge>,
  })

type Figure = {
  label: string
  /**
   * The values of the last 14 days, oldest first. The last seven days are compared with the seven days before
   * them.
   */
  days: readonly number[]
  /** Whether a higher figure is worse. */
  bad?: boolean
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** Shows each figure for the last seven days, with a line chart and the change from the seven days before. */
function FigureRow({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="grid overflow-clip rounded-card border bg-surface sm:grid-cols-3">
      {figures.map(({ label, days, bad = false }) => {
        const half = Math.floor(days.length / 2)
        const [before, now] = [sum(days.slice(0, half)), sum(days.slice(half))]
        return (
          <div
            key={label}
            className="grid content-start gap-0.5 border-b px-4 pt-3.5 pb-3 last:border-b-0 sm:border-r sm:border-b-0 sm:last:border-r-0"
          >
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="flex flex-wrap items-baseline gap-x-2 font-semibold text-2xl tabular-nums leading-8 tracking-[-0.022em]">
              {now.toLocaleString('en')}
              <Change before={before} now={now} bad={bad} />
            </dd>
            <Spark values={days.slice(half)} bad={bad} />
          </div>
        )
      })}
    </dl>
  )
}

function Change({ before, now, bad }: { before: number; now: number; bad: boolean }) {
  if (before === now)
    return <small className="font-medium text-muted text-xs tracking-normal">Same as last week</small>
  const more = now > before
  const share =
    before === 0 || now > 3 * before ? '' : ` (${Math.round((Math.abs(now - before) / before) * 100)}%)`
  return (
    <small
      className={cn(
        'font-medium text-xs tracking-normal',
        bad && more ? 'text-danger' : more || bad ? 'text-success' : 'text-muted',
      )}
    >
      {more ? '+' : '−'}
      {Math.abs(now - before).toLocaleString('en')}
      {share}
      <span className="sr-only"> compared with the previous week</span>
    </small>
  )
}

/** A small line chart. The chart is decorative, because the total is shown above it as text. */
function Spark({ values, bad }: { values: readonly number[]; bad: boolean }) {
  const highest = Math.max(1, ...values)
  const points = values.map(
    (value, at) => `${(at / Math.max(1, values.length - 1)) * 100},${26 - (value / highest) * 24}`,
  )
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      className={cn('mt-1.5 h-7 w-full overflow-visible', bad ? 'text-chart-bad' : 'text-chart-1')}
    >
      <polygon points={`0,28 ${points.join(' ')} 100,28`} fill="currentColor" opacity="0.12" />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export type FeedEvent = Pick<
  ListedEvent,
  | 'id'
  | 'createdAt'
  | 'userId'
  | 'user'
  | 'actorKind'
  | 'through'
  | 'action'
  | 'resourceId'
  | 'subject'
  | 'project'
  | 'details'
>

/** Lists events as sentences, in the given order. */
export function ActivityFeed({ events }: { events: readonly FeedEvent[] }) {
  return (
    <ul aria-label="Latest activity" className="grid grid-cols-[minmax(0,1fr)]">
      {events.map((event) => {
        const { id, createdAt, userId, user, actorKind, through } = event
        const who = user ?? (actorKind === 'system' ? 'System' : (through ?? 'Deleted account'))
        const { words, about } = describeAction(event)
        const name = about && event[about]
        return (
          <li
            key={id}
            className="relative grid grid-cols-[20px_minmax(0,1fr)] gap-x-2.5 py-[7px] text-[13px] leading-5 not-last:after:absolute not-last:after:top-[29px] not-last:after:-bottom-[5px] not-last:after:left-[9.5px] not-last:after:w-px not-last:after:bg-border not-last:after:content-['']"
          >
            <Avatar name={who} id={userId ?? who} size="tiny" className="mt-px" />
            <div>
              <p>
                <bdi className="font-medium">
                  <Breakable text={who} />
                </bdi>{' '}
                <ActionText words={words}>
                  {name && (
                    <bdi className="font-medium">
                      <Breakable text={name} />
                    </bdi>
                  )}
                </ActionText>
              </p>
              <Time at={createdAt} className="text-muted text-xs" />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

export type Expiring = {
  id: string
  name: string
  /** The kind of the item, such as "Client secret". */
  kind: string
  /** The last characters of the item's value; null for an invitation. */
  display: string | null
  /** The name of the project or app to which the item belongs; null if it belongs to neither. */
  belongsTo: string | null
  user: string | null
  expiresAt: Date
  lastUsedAt: Date | null
  /**
   * Whether the item can have been used. False for an invitation, because the list contains only open
   * invitations.
   */
  usable: boolean
  state: 'ended' | 'soon' | 'later'
  /** The page on which the item can be renewed. */
  href: string
}

const tones = { ended: 'danger', soon: 'warning', later: 'neutral' } as const

/**
 * Lists tokens, client secrets, and invitations that expire soon, and tokens and client secrets that expired
 * recently.
 */
function ExpiringTable({ items }: { items: readonly Expiring[] }) {
  return (
    <Table
      caption="Expiring soon"
      head={
        <>
          <Head>Name</Head>
          <Head>Kind</Head>
          <Head>Created by</Head>
          <Head>Last used</Head>
          <Head>Expires</Head>
        </>
      }
    >
      {items.map(
        ({ id, name, kind, display, belongsTo, user, expiresAt, lastUsedAt, usable, state, href }) => (
          <Row key={id}>
            <Cell className="max-w-[300px]">
              <span className="flex min-w-0 items-baseline gap-2">
                <Link href={href} title={name} className="min-w-0 truncate font-medium hover:underline">
                  <bdi>{name}</bdi>
                </Link>
                {display && <span className="shrink-0 font-mono text-[12px] text-muted">{display}</span>}
              </span>
            </Cell>
            <Cell className="max-w-[220px]">
              <span className="block truncate" title={belongsTo ?? undefined}>
                {kind}
                {belongsTo && (
                  <span className="text-muted">
                    {' of '}
                    <bdi>{belongsTo}</bdi>
                  </span>
                )}
              </span>
            </Cell>
            <Cell className="max-w-[160px] truncate">{user ?? 'Unknown'}</Cell>
            <Cell muted>{usable ? <LastUsed at={lastUsedAt} /> : 'Not accepted yet'}</Cell>
            <Cell>
              <Badge tone={tones[state]}>
                <Time at={expiresAt} capital />
              </Badge>
            </Cell>
          </Row>
        ),
      )}
    </Table>
  )
}
