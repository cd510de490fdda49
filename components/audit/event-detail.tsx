import { TextLink } from '../ui/text-link'
import type { ListedEvent } from './event-log'

const ways: Record<string, string> = {
  session: 'Browser',
  oauth: 'App',
  installation: 'Installed app',
  system: 'System',
}

const exact = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
})

/**
 * All that was recorded of an event: its code, the moment, the way it came, and what was written down about it.
 * @param everywhere for the operator: leads to the person and the workspace
 */
export function EventDetail({ event, everywhere }: { event: ListedEvent; everywhere: boolean }) {
  const { userId, workspace } = event
  const { action, createdAt, actorKind, through, actorId, ip, userAgent, resourceType, resourceId } = event
  const way = ways[actorKind] ?? 'API token'
  const facts: [string, string | null, boolean?][] = [
    ['Action', action, true],
    ['Time', `${exact.format(createdAt)} UTC`],
    ['Through', through ? `${way}: ${through}` : actorId ? `${way} ${actorId}` : way],
    ['IP address', ip, true],
    ['Client', userAgent],
    ['Resource', `${resourceType} ${resourceId}`, true],
    ['Event', event.id, true],
    ...written(event.details),
  ]
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1.5 border-t bg-raised px-4 py-4 text-[13px] sm:grid-cols-[112px_minmax(0,1fr)] sm:pl-[76px]">
      {facts.map(([label, value, code]) =>
        value ? (
          <div key={label} className="contents">
            <dt className="text-muted max-sm:mt-1">{label}</dt>
            <dd className={code ? 'wrap-anywhere font-mono' : 'wrap-anywhere'}>{value}</dd>
          </div>
        ) : null,
      )}
      {everywhere && (userId || (workspace && !workspace.gone)) && (
        <div className="contents">
          <dt className="text-muted max-sm:mt-1">See</dt>
          <dd className="flex flex-wrap gap-4">
            {userId && (
              <TextLink href={`/operator/people/${userId}`}>{event.person ?? 'The person'}</TextLink>
            )}
            {workspace && !workspace.gone && (
              <TextLink href={`/operator/workspaces/${workspace.id}`}>{workspace.name}</TextLink>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** What was written down about it, field by field, under the names the API has for them. */
function written(details: unknown): [string, string, true][] {
  if (typeof details !== 'object' || details === null) return []
  return Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
    true,
  ])
}
