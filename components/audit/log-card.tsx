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
 * Shows the filtered audit log, or why it is empty.
 * @param path URL of the unfiltered log
 * @param sentence the error in the filters
 * @param filtered whether a filter is set
 * @param advice what to try if nothing matches
 * @param children the text for a log without events
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

/** Links to the other pages of an audit log, and to the exports. */
export function LogFooter({
  hrefs,
  parameters,
  streamHref,
}: {
  hrefs: { previous: string | undefined; next: string | undefined }
  /** The filters of the export. */
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

/** Links to the listed events as files. The links are plain, because prefetching would start an export. */
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
