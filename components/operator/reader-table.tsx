import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'

export type ShownReader = {
  name: string
  inUse: number
  leftOut: number
  unreachable: number
  behindMs: number
}

/** The read replicas, and how the processes of the service find each. */
export function ReaderTable({ readers }: { readers: ShownReader[] }) {
  return (
    <Table
      caption="Read replicas"
      head={
        <>
          <Head>Server</Head>
          <Head>State</Head>
          <Head>Read by</Head>
          <Head numeric>Behind</Head>
        </>
      }
    >
      {readers.map((each) => (
        <Row key={each.name}>
          <Cell className="min-w-40">
            <span className="wrap-anywhere block font-medium font-mono text-[13px]">{each.name}</span>
          </Cell>
          <Cell>
            <State {...each} />
          </Cell>
          <Cell>
            {each.inUse} of {each.inUse + each.leftOut + each.unreachable} processes
          </Cell>
          {/* What does not answer was not heard of: the last that it was asked for says nothing of now. */}
          <Cell numeric>{each.inUse + each.leftOut === 0 ? '–' : duration(each.behindMs)}</Cell>
        </Row>
      ))}
    </Table>
  )
}

const duration = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`)

function State({ inUse, leftOut, unreachable }: ShownReader) {
  if (unreachable > 0)
    return <Badge tone="danger">{inUse + leftOut > 0 ? 'Partly unreachable' : 'Unreachable'}</Badge>
  if (leftOut > 0) return <Badge tone="warning">{inUse > 0 ? 'Partly left out' : 'Left out'}</Badge>
  return <Badge tone="success">In use</Badge>
}
