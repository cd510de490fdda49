import Link from 'next/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type InstanceEvent = {
  id: string
  createdAt: Date
  userId: string | null
  /** The name of who did it, while they have an account. */
  person: string | null
  actorKind: string
  action: string
  resourceId: string
  workspace: { id: string; name: string } | null
  ip: string | null
}

const columns = ['When', 'Who', 'What', 'Which', 'Workspace', 'Address']

/** What happened anywhere in the instance, the latest first. */
export function InstanceEventTable({ events }: { events: InstanceEvent[] }) {
  return (
    <Table caption="Audit log" head={columns.map((column) => <Head key={column}>{column}</Head>)}>
      {events.map(({ id, createdAt, userId, person, actorKind, action, resourceId, workspace, ip }) => (
        <Row key={id}>
          <Cell muted className="whitespace-nowrap">
            <Time at={createdAt} />
          </Cell>
          <Cell className="whitespace-nowrap">
            {person && userId ? (
              <Link href={`/operator/people/${userId}`} className="hover:underline">
                {person}
              </Link>
            ) : actorKind === 'system' ? (
              'System'
            ) : (
              'Somebody gone'
            )}
          </Cell>
          <Cell className="font-mono text-[13px]">{action}</Cell>
          <Cell className="max-w-[180px] truncate max-sm:col-span-full font-mono text-[13px]">
            <span title={resourceId}>{resourceId}</span>
          </Cell>
          <Cell>
            {workspace && (
              <Link href={`/operator/workspaces/${workspace.id}`} className="hover:underline">
                {workspace.name}
              </Link>
            )}
          </Cell>
          <Cell muted>{ip}</Cell>
        </Row>
      ))}
    </Table>
  )
}
