import { CircleCheck, FolderClosed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedPlace } from '../lists/place-list'
import { PlaceList } from '../lists/place-list'
import { placeOfProject } from '../projects/place-of-project'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { TextLink } from '../ui/text-link'
import { ActivityFeed, type FeedEvent } from './activity-feed'
import { AttentionList } from './attention-list'
import type { attentionOf } from './attention-of'
import { type Expiring, ExpiringTable } from './expiring-table'
import { FigureRow } from './figure-row'

type Project = { id: string; name: string; description: string; createdAt: Date }

/** "4", or "4 of 11" where not all of it is listed. */
const shownOf = ({ items, total }: ReturnType<typeof attentionOf>) =>
  `${items.length < total ? `${items.length} of ` : ''}${total.toLocaleString('en')}`

/** The sections of a workspace's home: what needs somebody first, then what is going on. One that has nothing to say is left out. */
export function OverviewSections({
  attention,
  days,
  projects,
  events,
  expiring,
  places,
  home,
  create,
  calm,
}: {
  attention: ReturnType<typeof attentionOf>
  days: { day: string; authorizations: number; requests: number; errors: number }[]
  projects: { rows: Project[]; total: number }
  events: FeedEvent[]
  expiring: Expiring[]
  places: { developer: string; tokens: string }
  /** The workspace's address. */
  home: string
  /** The button of the first project. */
  create: ReactNode
  /** Says so where nothing needs attention. */
  calm: boolean
}) {
  const listed: ListedPlace[] = projects.rows.map(placeOfProject(home))
  const all = `All ${projects.total.toLocaleString('en')} projects`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {attention.total > 0 && (
        <Section title={`Needs attention ${shownOf(attention)}`} flush>
          <AttentionList items={attention.items} more={attention.more} />
        </Section>
      )}
      {attention.total === 0 && calm && (
        <p className="flex items-center gap-2.5 rounded-card border border-success-line bg-success-soft px-4 py-2.5 text-[13px]">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          Nothing needs your attention.
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
              { label: 'API requests of your apps', days: days.map(({ requests }) => requests) },
              { label: 'Refused requests', days: days.map(({ errors }) => errors), bad: true },
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
        <Section
          title="Projects"
          action={
            projects.total > listed.length ? <TextLink href={`${home}/projects`}>{all}</TextLink> : undefined
          }
          flush
        >
          {listed.length > 0 ? (
            <PlaceList label="Projects" places={listed} />
          ) : (
            <EmptyState icon={FolderClosed} title="No projects yet" action={create}>
              A project is what apps and tokens get access to.
            </EmptyState>
          )}
        </Section>
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
          <ExpiringTable tokens={expiring} />
        </Section>
      )}
      <p className="text-[13px] text-muted">
        Claude, Cursor and other agents can work here for you.{' '}
        <TextLink href="/account/agents">Connect an agent</TextLink>
      </p>
    </div>
  )
}
