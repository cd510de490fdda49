import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { currentAction } from '@/lib/features/audit/renamed-actions'
import { Avatar } from '../ui/avatar'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { describeAction, placeOfSubject } from './event-words'

export type ListedEvent = {
  id: string
  createdAt: Date
  userId: string | null
  /** The name of the user, if the account still exists. */
  user: string | null
  /** The kind of actor: `session`, `oauth`, `system`, or a kind of token. */
  actorKind: string
  /** The name of the app or token that the user used. */
  through: string | null
  action: string
  resourceId: string
  subject: string | null
  project: string | null
  ip: string | null
  userAgent: string | null
  actorId: string | null
  resourceType: string
  /** The other recorded details. */
  details: unknown
  workspace: { id: string; name: string; gone: boolean } | null
}

/**
 * Lists events as sentences, newest first. Each event opens to show its details, even without JavaScript.
 * @param everywhere whether to name the workspaces and link to users and workspaces, for instance admins
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
                  <bdi className="font-medium">{whoDid(event)}</bdi> <ActionLine event={event} />
                  {everywhere && event.workspace && event.workspace.id !== event.resourceId && (
                    <span className="text-muted">
                      {' '}
                      in <bdi>{event.workspace.name}</bdi>
                      {event.workspace.gone && ' (deleted)'}
                    </span>
                  )}
                </span>
                <span className="shrink-0 text-[13px] text-muted">
                  <Time at={event.createdAt} absolute />
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

/** Describes the action and its subject. */
function ActionLine({ event }: { event: ListedEvent }) {
  const { words, about } = describeAction(event)
  return (
    <ActionText words={words}>
      {about === 'project' && <bdi className="font-medium">{event.project}</bdi>}
      {about === 'subject' && (
        <EventSubject id={event.resourceId} name={event.subject} project={event.project} />
      )}
    </ActionText>
  )
}

/** An installed app acts without a user, so the app is the actor. */
function whoDid({ user, actorKind, through }: ListedEvent): string {
  if (actorKind === 'installation') return through ?? 'Deleted app'
  return user ?? (actorKind === 'system' ? 'System' : 'Deleted account')
}

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
 * Shows everything that was recorded about an event: its action, time, actor, and details.
 * @param everywhere whether to link to the user and the workspace, for instance admins
 */
function EventDetail({ event, everywhere }: { event: ListedEvent; everywhere: boolean }) {
  const { userId, workspace } = event
  const { action, createdAt, actorKind, through, actorId, ip, userAgent, resourceType, resourceId } = event
  const way = ways[actorKind] ?? 'API token'
  const facts: [string, string | null, boolean?][] = [
    ['Action', currentAction(action), true],
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
            {userId && <TextLink href={`/admin/people/${userId}`}>{event.user ?? 'The user'}</TextLink>}
            {workspace && !workspace.gone && (
              <TextLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</TextLink>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Returns the recorded details as fields, named as in the API. */
function written(details: unknown): [string, string, true][] {
  if (typeof details !== 'object' || details === null) return []
  return Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
    true,
  ])
}

/** Shows the subject of an event: its name and project with the ID on hover, or only the ID if the name is unknown. */
export function EventSubject({
  id,
  name,
  project,
}: {
  id: string
  name: string | null
  project: string | null
}) {
  if (!name) {
    return (
      <span title={id} className="font-mono text-[13px] text-muted">
        {id}
      </span>
    )
  }
  return (
    <span title={`${name} (${id})`}>
      <bdi className="font-medium">{name}</bdi>
      {project && <span className="text-muted"> in {project}</span>}
    </span>
  )
}

/**
 * Describes an action and, if the text has a place for it, the subject: "removed the app Deploy Bot for everyone".
 * @param capital whether the text begins a sentence
 */
export function ActionText({
  words,
  capital = false,
  children,
}: {
  words: string
  capital?: boolean
  /** The name of the subject. */
  children?: ReactNode
}) {
  const [before = '', after] = words.split(placeOfSubject)
  return (
    <>
      {capital ? before.replace(/^./, (first) => first.toUpperCase()) : before} {children}
      {after}
    </>
  )
}
