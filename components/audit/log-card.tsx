import type { ReactNode } from 'react'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { NoMatch } from '../lists/list-frame'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { ScrollText } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { Pagination } from '../ui/pagination'
import { EventLog, type ListedEvent } from './event-log'

/**
 * Shows one page of the filtered audit log, or why it is empty, with links to the exports, the stream, and
 * the other pages.
 * @param path the URL of the unfiltered log
 * @param sentence the error message about the filters; undefined if they are valid
 * @param filtered whether a filter is set
 * @param advice the advice to show if no event matches the filters
 * @param everywhere whether the log is for instance admins (see `EventLog`)
 * @param pages the URLs of the previous and the next page, if they exist
 * @param exported the parameters of an export: the filters and, for a workspace's log, the ID of the
 * workspace
 * @param children the text for a log without events
 */
export function LogCard({
  path,
  events,
  sentence,
  filtered,
  advice,
  everywhere = false,
  pages,
  exported,
  children,
}: {
  path: string
  events: ListedEvent[]
  sentence: string | undefined
  filtered: boolean
  advice: string
  everywhere?: boolean
  pages: { previous?: string | undefined; next?: string | undefined }
  exported: Record<string, string>
  children: ReactNode
}) {
  return (
    <>
      <div className="mb-3 flex flex-wrap justify-end gap-2">
        {sentence === undefined && <ExportLinks parameters={exported} />}
        <ButtonLink href={`${path}/stream`} size="small">
          Stream
        </ButtonLink>
      </div>
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
      {(pages.previous || pages.next) && (
        <div className="mt-4">
          <Pagination {...pages} label="Pages of the audit log" />
        </div>
      )}
    </>
  )
}

const formats = [
  { format: 'ndjson', label: 'Export NDJSON' },
  { format: 'csv', label: 'Export CSV' },
]

/**
 * Links that download the matching events as files. They are plain `<a>` elements, because a `Link` opens a
 * page.
 */
function ExportLinks({ parameters }: { parameters: Record<string, string> }) {
  return formats.map(({ format, label }) => (
    <a
      key={format}
      href={addressOf('/audit-log/export', { ...parameters, format })}
      download
      className={buttonClass({ size: 'small' })}
    >
      {label}
    </a>
  ))
}
