import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { NoMatch } from '../lists/no-match'
import { ButtonLink } from '../ui/button-link'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
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
          title="Nothing can match this"
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
