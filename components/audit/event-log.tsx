import { currentAction } from '@/lib/features/audit/renamed-actions'
import { EventRows, type LoggedEvent } from './event-rows'
import { describeAction } from './event-words'

export type ListedEvent = {
  id: string
  createdAt: Date
  userId: string | null
  /** The name of the acting user. Null if no user acted or the account no longer exists. */
  user: string | null
  /** The kind of actor: `session`, `oauth`, `installation`, `system`, or a kind of token. */
  actorKind: string
  /**
   * The name of the app or token through which the actor acted. Null if there is none or its name is unknown.
   */
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
 * Lists events as sentences. Users can open each event to see its details, even without JavaScript.
 * @param everywhere whether the list is for instance admins. If so, the sentences name the workspaces, and
 * the details link to users and workspaces
 */
export const EventLog = ({ events, everywhere = false }: { events: ListedEvent[]; everywhere?: boolean }) => (
  <EventRows events={events.map((event) => logged(event, everywhere))} />
)

/** Returns the data for an event's row. */
function logged(event: ListedEvent, everywhere: boolean): LoggedEvent {
  const { userId, workspace, project, resourceId, subject } = event
  const { words, about, place } = describeAction(event)
  const who = whoDid(event)
  return {
    id: event.id,
    who,
    tileOf: userId ?? who,
    words,
    project: about === 'project' ? project : null,
    subject: about === 'subject' ? { id: resourceId, name: subject } : null,
    place: {
      word: place,
      workspace:
        everywhere && workspace && workspace.id !== resourceId
          ? { name: workspace.name, gone: workspace.gone }
          : null,
      project: about === 'subject' ? project : null,
    },
    at: event.createdAt,
    facts: factsOf(event),
    links: everywhere ? linksOf(event) : [],
  }
}

/**
 * Returns the name of the user or, if an installed app acted without a user, of the app. Returns a general
 * name, such as "System", if no user acted or the name is unknown.
 */
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
 * Returns the facts to show for an event: action, time, means of access (such as a browser, app, or token),
 * IP address, client, resource, event ID, and recorded details. Omits facts that are unknown.
 */
function factsOf(event: ListedEvent): LoggedEvent['facts'] {
  const { action, createdAt, actorKind, through, actorId, ip, userAgent, resourceType, resourceId } = event
  const way = ways[actorKind] ?? 'API token'
  const facts: [string, string | null, boolean?][] = [
    ['Action', currentAction(action), true],
    ['Time', `${exact.format(createdAt)} UTC`],
    ['Access method', through ? `${way}: ${through}` : actorId ? `${way} ${actorId}` : way],
    ['IP address', ip, true],
    ['Client', userAgent],
    ['Resource', `${resourceType} ${resourceId}`, true],
    ['Event', event.id, true],
    ...written(event.details),
  ]
  return facts.flatMap(([label, text, code = false]) => (text ? [{ label, text, code }] : []))
}

/** Returns links to the instance admin pages of the event's user and workspace, if these still exist. */
const linksOf = ({ userId, user, workspace }: ListedEvent): LoggedEvent['links'] => [
  ...(userId && user ? [{ href: `/admin/people/${userId}`, text: user }] : []),
  ...(workspace && !workspace.gone
    ? [{ href: `/admin/workspaces/${workspace.id}`, text: workspace.name }]
    : []),
]

/**
 * Returns the recorded details as facts in code font. Their labels are the names of the details in the API.
 */
function written(details: unknown): [string, string, true][] {
  if (typeof details !== 'object' || details === null) return []
  return Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
    true,
  ])
}
