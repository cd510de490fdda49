import { Badge } from '../ui/badge'
import { LastUsed } from '../ui/last-used'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type Expiring = {
  id: string
  name: string
  display: string
  reach: string
  person: string
  expiresAt: Date
  lastUsedAt: Date | null
  state: 'ended' | 'soon' | 'later'
}

const tones = { ended: 'danger', soon: 'warning', later: 'neutral' } as const

/** The tokens that end soon. */
export function ExpiringTable({ tokens }: { tokens: readonly Expiring[] }) {
  return (
    <Table
      caption="Expiring soon"
      head={
        <>
          <Head>Token</Head>
          <Head>Reaches</Head>
          <Head>By</Head>
          <Head>Last used</Head>
          <Head>Expires</Head>
        </>
      }
    >
      {tokens.map(({ id, name, display, reach, person, expiresAt, lastUsedAt, state }) => (
        <Row key={id}>
          <Cell className="max-w-[280px]">
            <span className="block truncate" title={name}>
              <bdi className="font-medium">{name}</bdi>{' '}
              <span className="font-mono text-[12px] text-muted">{display}</span>
            </span>
          </Cell>
          <Cell className="max-w-[200px] truncate">{reach}</Cell>
          <Cell className="max-w-[160px] truncate">{person}</Cell>
          <Cell muted>
            <LastUsed at={lastUsedAt} />
          </Cell>
          <Cell>
            <Badge tone={tones[state]}>
              <Time at={expiresAt} />
            </Badge>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
