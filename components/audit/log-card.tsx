import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { NoMatch } from '../lists/list-frame'
import { buttonClass } from '../ui/button'
import { ButtonLink } from '../ui/button-link'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Pagination } from '../ui/pagination'
import { EventLog, type ListedEvent } from './event-log'

/**
 * An audit log as it was asked for, or why it shows nothing.
 * @param path the address of the whole log
 * @param sentence what is wrong with how it was asked for
 * @param filtered some of it was asked for, not all
 * @param advice what to try where nothing matches
 * @param children what will stand here, where nothing has happened yet
 */
export function LogCard({
  path,
  events,
  sentence,
  filtered,
  advice,
  everywhere = false,
  children,
}: {
  path: string
  events: ListedEvent[]
  sentence: string | undefined
  filtered: boolean
  advice: string
  everywhere?: boolean
  children: ReactNode
}) {
  return (
    <Card className="overflow-clip">
      {sentence !== undefined ? (
        <EmptyState
          icon={ScrollText}
          title="No matching events"
          action={<ButtonLink href={path}>Clear filters</ButtonLink>}
        >
          <span className="wrap-anywhere">{sentence}</span>
        </EmptyState>
      ) : events.length > 0 ? (
        <EventLog events={events} everywhere={everywhere} />
      ) : filtered ? (
        <NoMatch path={path} noun="event" filtered>
          {advice}
        </NoMatch>
      ) : (
        <EmptyState icon={ScrollText} title="No activity yet">
          {children}
        </EmptyState>
      )}
    </Card>
  )
}

/** Below an audit log: the way to its other pages, and out of here. */
export function LogFooter({
  hrefs,
  parameters,
  streamHref,
}: {
  hrefs: { previous: string | undefined; next: string | undefined }
  /** What the export is narrowed by. */
  parameters: Record<string, string>
  streamHref: string
}) {
  return (
    <div className="mt-4 grid gap-4">
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of the audit log" />}
      <div className="flex flex-wrap gap-2">
        <ExportLinks parameters={parameters} />
        <ButtonLink href={streamHref}>Stream</ButtonLink>
      </div>
    </div>
  )
}

const formats = [
  { format: 'ndjson', label: 'Export NDJSON' },
  { format: 'csv', label: 'Export CSV' },
]

/** What is listed as a file, all of it. Plain links: whatever follows them ahead of a click would export. */
function ExportLinks({ parameters }: { parameters: Record<string, string> }) {
  return formats.map(({ format, label }) => (
    <a
      key={format}
      href={addressOf('/audit-log/export', { ...parameters, format })}
      download
      className={buttonClass()}
    >
      {label}
    </a>
  ))
}
