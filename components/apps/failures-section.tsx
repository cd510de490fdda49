import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedFailure = {
  id: string
  endpoint: string
  error: string
  description: string
  reason: string | null
  createdAt: Date
}

/** The app's requests that were refused last, with more of the reason than the app itself is told. */
export function FailuresSection({ failures }: { failures: ListedFailure[] }) {
  return (
    <Section
      title="Refused requests"
      description="What the app asked for and did not get, and why. The newest come first; secrets are never kept."
      flush
    >
      {failures.length === 0 ? (
        <EmptyState title="None so far">
          When a request of the app is refused, the reason appears here.
        </EmptyState>
      ) : (
        <Table
          caption="Refused requests"
          head={
            <>
              <Head>When</Head>
              <Head>Endpoint</Head>
              <Head>Error</Head>
              <Head>Reason</Head>
            </>
          }
        >
          {failures.map(({ id, endpoint, error, description, reason, createdAt }) => (
            <Row key={id}>
              <Cell>
                <Time at={createdAt} />
              </Cell>
              <Cell>{endpoint.replaceAll('_', ' ')}</Cell>
              <Cell className="font-mono text-[13px]">{error}</Cell>
              <Cell className="min-w-56 break-words">{reason ?? description}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}
