import type { LastAction } from '@/lib/features/audit/list-last-actions'
import { DeedWords } from '../audit/deed-words'
import { EventSubject } from '../audit/event-subject'
import { wordsOf } from '../audit/event-words'
import { Time } from '../ui/time'

/** What an app did lately for the person, the latest first; nothing where it did nothing. */
export function LastActions({ actions }: { actions: readonly LastAction[] }) {
  if (actions.length === 0) return null
  return (
    <div className="grid gap-1 text-sm">
      <h4 className="text-[13px] text-muted">Did lately</h4>
      <ul aria-label="Last actions" className="grid gap-1">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <DeedWords words={wordsOf(action.action)} capital>
                <EventSubject id={action.resourceId} name={action.subject} project={action.project} />
              </DeedWords>{' '}
              <Means details={action.details} reading={action.resourceType === 'tool'} />
            </span>
            <Time at={action.createdAt} className="text-muted" />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The tool by which an agent changed something, and the code that it was refused for. */
function Means({ details, reading }: { details: unknown; reading: boolean }) {
  const { tool, refused } = (details ?? {}) as { tool?: { name: string }; refused?: string }
  const means = reading ? refused : tool && `by ${tool.name}`
  return means ? <span className="font-mono text-[13px] text-muted">{means}</span> : null
}
