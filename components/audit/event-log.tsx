import { ChevronRight } from 'lucide-react'
import { Avatar } from '../ui/avatar'
import { Time } from '../ui/time'
import { DeedWords } from './deed-words'
import { EventDetail } from './event-detail'
import { EventSubject } from './event-subject'
import { tellDeed } from './event-words'

export type ListedEvent = {
  id: string
  createdAt: Date
  userId: string | null
  /** The name of who did it, while they have an account. */
  person: string | null
  /** The kind of actor: `session`, `oauth`, `system` or a kind of token. */
  actorKind: string
  /** The name of the app or token through which it was done. */
  through: string | null
  action: string
  resourceId: string
  subject: string | null
  project: string | null
  ip: string | null
  userAgent: string | null
  actorId: string | null
  resourceType: string
  /** What else was recorded of it. */
  details: unknown
  workspace: { id: string; name: string; gone: boolean } | null
}

/**
 * What happened, a sentence each, the latest first. Each opens to all that was recorded of it, without a script too.
 * @param everywhere for the operator: names the workspaces, and leads from the detail to people and workspaces
 */
export function EventLog({ events, everywhere = false }: { events: ListedEvent[]; everywhere?: boolean }) {
  return (
    <ul aria-label="Audit log">
      {events.map((event) => (
        <li key={event.id} className="border-b last:border-b-0">
          <details className="group">
            <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
              <ChevronRight aria-hidden className="size-4 shrink-0 text-faint group-open:rotate-90" />
              <Avatar
                name={whoDid(event)}
                id={event.userId ?? whoDid(event)}
                size="tiny"
                className="max-sm:hidden"
              />
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
                <span className="wrap-anywhere min-w-0 flex-1 basis-60">
                  <bdi className="font-medium">{whoDid(event)}</bdi> <Deed event={event} />
                  {everywhere && event.workspace && event.workspace.id !== event.resourceId && (
                    <span className="text-muted">
                      {' '}
                      in <bdi>{event.workspace.name}</bdi>
                      {event.workspace.gone && ' (deleted)'}
                    </span>
                  )}
                </span>
                <span className="shrink-0 text-[13px] text-muted">
                  <Time at={event.createdAt} />
                </span>
              </span>
            </summary>
            <EventDetail event={event} everywhere={everywhere} />
          </details>
        </li>
      ))}
    </ul>
  )
}

/** What was done, and to what. */
function Deed({ event }: { event: ListedEvent }) {
  const { words, about } = tellDeed(event)
  return (
    <DeedWords words={words}>
      {about === 'project' && <bdi className="font-medium">{event.project}</bdi>}
      {about === 'subject' && (
        <EventSubject id={event.resourceId} name={event.subject} project={event.project} />
      )}
    </DeedWords>
  )
}

/** Nobody stands behind an installed app: it is the app that did it. */
function whoDid({ person, actorKind, through }: ListedEvent): string {
  if (actorKind === 'installation') return through ?? 'Deleted app'
  return person ?? (actorKind === 'system' ? 'System' : 'Deleted account')
}
