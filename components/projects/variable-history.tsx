import { Badge, type Tone } from '../ui/badge'
import { EmptyState } from '../ui/empty-state'
import { History } from '../ui/icon'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedChange = {
  id: string
  name: string
  action: 'CREATED' | 'UPDATED' | 'DELETED'
  user: string | null
  actorKind: string
  createdAt: Date
}

const actions: Record<ListedChange['action'], { label: string; tone: Tone }> = {
  CREATED: { label: 'Added', tone: 'success' },
  UPDATED: { label: 'Changed', tone: 'neutral' },
  DELETED: { label: 'Deleted', tone: 'danger' },
}

const means: Record<string, string> = {
  session: 'in the browser',
  oauth: 'through an app',
  'account-token': 'with an account token',
  'workspace-token': 'with a workspace token',
  'project-token': 'with a project token',
}

/** Lists changes to variables, in the given order. The history does not store values. */
export function VariableHistory({ changes }: { changes: ListedChange[] }) {
  if (changes.length === 0) {
    return (
      <EmptyState icon={History} title="No changes yet">
        Added, changed, and deleted variables appear here, without their values.
      </EmptyState>
    )
  }
  return (
    <Table
      caption="Variable changes"
      unlabelled
      head={
        <>
          <Head>Variable</Head>
          <Head>Change</Head>
          <Head>By</Head>
          <Head numeric>When</Head>
        </>
      }
    >
      {changes.map(({ id, name, action, user, actorKind, createdAt }) => (
        <Row key={id}>
          <Cell className="break-all font-mono text-[13px]">{name}</Cell>
          <Cell>
            <Badge tone={actions[action].tone}>{actions[action].label}</Badge>
          </Cell>
          <Cell className="max-sm:order-last max-sm:col-span-full">
            <span className="min-w-32 gap-0.5 sm:grid">
              <span>{user ?? (actorKind === 'installation' ? 'An installed app' : 'Deleted account')}</span>{' '}
              <span className="text-[13px] text-muted">{means[actorKind]}</span>
            </span>
          </Cell>
          <Cell numeric muted>
            <Time at={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
