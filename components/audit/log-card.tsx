import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { EventLog, type ListedEvent } from './event-log'

/**
 * An audit log as it was asked for, or why it shows nothing.
 * @param sentence what is wrong with how it was asked for
 * @param children what to try where it is empty
 */
export function LogCard({
  events,
  sentence,
  everywhere = false,
  children,
}: {
  events: ListedEvent[]
  sentence: string | undefined
  everywhere?: boolean
  children: ReactNode
}) {
  return (
    <Card className="overflow-clip">
      {sentence !== undefined ? (
        <EmptyState icon={ScrollText} title="Nothing can match this">
          <span className="wrap-anywhere">{sentence}</span>
        </EmptyState>
      ) : events.length === 0 ? (
        <EmptyState icon={ScrollText} title="No activity yet">
          {children}
        </EmptyState>
      ) : (
        <EventLog events={events} everywhere={everywhere} />
      )}
    </Card>
  )
}
