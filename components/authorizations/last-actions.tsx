import type { LastAction } from '@/lib/features/audit/list-last-actions'
import { ActionText, EventPlace, EventSubject } from '../audit/event-text'
import { actionText, placeWord } from '../audit/event-words'
import { Time } from '../ui/time'

/**
 * Lists the given actions of an app, in the given order, with their times. Renders nothing if there are no
 * actions.
 */
export function LastActions({ actions }: { actions: readonly LastAction[] }) {
  if (actions.length === 0) return null
  return (
    <div className="grid gap-1 text-sm">
      <h4 className="text-[13px] text-muted">Recent activity</h4>
      <ul aria-label="Recent activity" className="grid gap-1">
        {actions.map((action) => (
          <li key={action.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <ActionText words={actionText(action.action)} capital>
                <EventSubject id={action.resourceId} name={action.subject} />
              </ActionText>
              <EventPlace word={placeWord(action.action)} workspace={null} project={action.project} />{' '}
              <Means details={action.details} reading={action.resourceType === 'tool'} />
            </span>
            <Time at={action.createdAt} className="text-muted" />
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Shows the tool with which an agent made a change or, for an event that records a tool call, the error code
 * of a rejected call. Renders nothing if the event contains neither.
 */
function Means({ details, reading }: { details: unknown; reading: boolean }) {
  const { tool, refused } = (details ?? {}) as { tool?: { name: string }; refused?: string }
  const means = reading ? refused : tool && `by ${tool.name}`
  return means ? <span className="font-mono text-[13px] text-muted">{means}</span> : null
}
