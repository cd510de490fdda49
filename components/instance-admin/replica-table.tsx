import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ShownReplica = {
  id: string
  host: string
  release: string
  node: string
  pid: number
  startedAt: Date
  seenAt: Date
  silent: boolean
  trouble?: string | undefined
  jobs: boolean
  pool: { used: number; most: number; waiting: number }
  lateMs: number
  memoryBytes: number
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

/**
 * Lists the instance's processes, each with the status that it last reported. Marks processes that stopped
 * reporting as not responding.
 */
export function ReplicaTable({ replicas }: { replicas: ShownReplica[] }) {
  return (
    <Table
      caption="Replicas"
      head={
        <>
          <Head>Replica</Head>
          <Head>Status</Head>
          <Head>Running since</Head>
          <Head>Jobs</Head>
          <Head numeric>Connections</Head>
          <Head numeric>Event loop</Head>
          <Head numeric>Memory</Head>
        </>
      }
    >
      {replicas.map(({ pool, ...each }) => (
        <Row key={each.id} className={each.silent ? 'text-muted' : undefined}>
          <Cell className="min-w-40">
            <span className="wrap-anywhere block font-medium font-mono text-[13px]">{each.host}</span>
            <span className="block text-[13px] text-muted">
              {each.release}
              <br />
              Node {each.node.replace(/^v/, '')}, PID {each.pid}
            </span>
          </Cell>
          <Cell>
            <State {...each} />
          </Cell>
          <Cell>
            <Time at={each.startedAt} />
          </Cell>
          <Cell>{each.jobs ? 'Running' : <Badge tone="warning">Not running</Badge>}</Cell>
          <Cell numeric>
            {pool.used} of {pool.most}
            {pool.waiting > 0 && (
              <span className="block">
                <Badge tone="warning">{pool.waiting} waiting</Badge>
              </span>
            )}
          </Cell>
          <Cell numeric>{each.lateMs} ms lag</Cell>
          <Cell numeric>{megabytes(each.memoryBytes)}</Cell>
        </Row>
      ))}
    </Table>
  )
}

function State({ silent, trouble, seenAt }: Pick<ShownReplica, 'silent' | 'trouble' | 'seenAt'>) {
  const [tone, word] = silent
    ? (['danger', 'Not responding'] as const)
    : trouble
      ? (['warning', 'Not ready'] as const)
      : (['success', 'Ready'] as const)
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {silent ? (
        <span className="block text-[13px] text-muted">
          last seen <Time at={seenAt} />
        </span>
      ) : (
        trouble && <span className="block text-[13px] text-muted">{trouble}</span>
      )}
    </>
  )
}
