import Link from 'next/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { EventSubject } from './event-subject'

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
  workspace: { id: string; name: string; gone: boolean } | null
}

const ways: Record<string, string> = {
  session: 'Browser',
  oauth: 'App',
  installation: 'Installed app',
  system: 'System',
}

/**
 * What happened, the latest first. On a phone each event is a few lines without the names of the columns.
 * @param everywhere for the operator: names the workspaces, and leads to people and workspaces
 */
export function EventTable({ events, everywhere = false }: { events: ListedEvent[]; everywhere?: boolean }) {
  const columns = ['When', 'Who', 'What', 'Which', everywhere ? 'Workspace' : 'Through', 'Address']
  return (
    <Table
      caption="Audit log"
      unlabelled
      head={columns.map((column) => (
        <Head key={column} className="sm:px-4">
          {column}
        </Head>
      ))}
    >
      {events.map((event) => (
        <Row
          key={event.id}
          className="sm:[&>td]:px-4 max-sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]! max-sm:gap-y-0.5!"
        >
          <Cell muted className="max-sm:order-1 max-sm:col-auto! max-sm:text-end!">
            <Time at={event.createdAt} />
          </Cell>
          <Cell className="sm:whitespace-nowrap max-sm:font-medium">
            <Who event={event} linked={everywhere} />
          </Cell>
          <Cell className="font-mono text-[13px] max-sm:order-2 max-sm:col-span-full">
            <What action={event.action} />
          </Cell>
          <Cell className="max-w-[220px] truncate max-sm:order-2 max-sm:col-span-full">
            <EventSubject id={event.resourceId} name={event.subject} project={event.project} />
          </Cell>
          <Cell className="max-w-[180px] truncate max-sm:order-2 max-sm:text-muted">
            {everywhere ? <Where event={event} /> : <Through event={event} />}
          </Cell>
          <Cell muted className="max-w-[160px] truncate max-sm:order-2 max-sm:col-start-2 max-sm:text-end!">
            {event.ip && <span title={event.ip}>{event.ip}</span>}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Who({ event, linked }: { event: ListedEvent; linked: boolean }) {
  const { person, userId, actorKind, through } = event
  // Nobody stands behind an installed app: it is the app that did it.
  if (actorKind === 'installation') return through ?? 'An app that is gone'
  if (!person) return actorKind === 'system' ? 'System' : 'Somebody gone'
  return linked ? (
    <Link className="hover:underline" href={`/operator/people/${userId}`}>
      {person}
    </Link>
  ) : (
    person
  )
}

/** A long one breaks at its dot rather than push the address out of the table. */
function What({ action }: { action: string }) {
  const [noun, verb] = action.split('.')
  return verb === undefined ? (
    noun
  ) : (
    <>
      {noun}.<wbr />
      {verb}
    </>
  )
}

function Through({ event: { actorKind, through } }: { event: ListedEvent }) {
  const kind = ways[actorKind] ?? 'API token'
  return through ? <span title={`${kind} ${through}`}>{through}</span> : kind
}

function Where({ event: { workspace } }: { event: ListedEvent }) {
  if (!workspace) return null
  if (workspace.gone) return <span title={`${workspace.name} (deleted)`}>{workspace.name} (deleted)</span>
  return (
    <Link className="hover:underline" href={`/operator/workspaces/${workspace.id}`}>
      {workspace.name}
    </Link>
  )
}
