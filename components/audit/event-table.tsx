import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedEvent = {
  id: string
  createdAt: Date
  /** The name of who did it, while they have an account. */
  person: string | undefined
  /** The kind of actor: `session`, `oauth`, `system` or a kind of token. */
  actorKind: string
  action: string
  resourceId: string
  ip: string | null
}

const columns = ['When', 'Who', 'What', 'Which', 'Through', 'Address']
const ways: Record<string, string> = { session: 'Browser', oauth: 'App', system: 'System' }

/** What happened in a workspace, the latest first. */
export function EventTable({ events }: { events: ListedEvent[] }) {
  return (
    <Table caption="Audit log" head={columns.map((column) => <Head key={column}>{column}</Head>)}>
      {events.map(({ id, createdAt, person, actorKind, action, resourceId, ip }) => (
        <Row key={id}>
          <Cell muted>
            <Time at={createdAt} />
          </Cell>
          <Cell className="whitespace-nowrap">
            {person ?? (actorKind === 'system' ? 'System' : 'Somebody gone')}
          </Cell>
          <Cell className="font-mono text-[13px]">{action}</Cell>
          <Cell className="max-w-[220px] truncate max-sm:col-span-full font-mono text-[13px]">
            <span title={resourceId}>{resourceId}</span>
          </Cell>
          <Cell className="whitespace-nowrap">{ways[actorKind] ?? 'API token'}</Cell>
          <Cell muted>{ip}</Cell>
        </Row>
      ))}
    </Table>
  )
}
