import { ChevronRight } from 'lucide-react'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Cell, Head, Row, Table } from '../ui/table'
import { UsageChart } from './usage-chart'
import { figure } from './usage-format'

const measures = [
  { key: 'authorizations', label: 'Authorizations' },
  { key: 'tokens', label: 'Tokens' },
  { key: 'requests', label: 'API requests' },
  { key: 'errors', label: 'Errors' },
] as const

export type UsageOfDay = { day: string } & Record<(typeof measures)[number]['key'], number>

/** What the app did, day by day: a chart and a sum of each figure, and all of it as a table. @param days oldest first */
export function UsageSection({ days }: { days: UsageOfDay[] }) {
  const unused = days.every((day) => measures.every(({ key }) => day[key] === 0))
  return (
    <Section
      title="Usage"
      description={`The last ${days.length} days, today included. A day begins at midnight UTC.`}
      flush={unused}
    >
      {unused ? (
        <EmptyState title={`Nothing in the last ${days.length} days`}>
          When people authorize the app and it calls the API, each day’s figures appear here.
        </EmptyState>
      ) : (
        <>
          <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
            {measures.map(({ key, label }) => (
              <UsageChart
                key={key}
                label={label}
                days={days.map((each) => ({ day: each.day, count: each[key] }))}
                bad={key === 'errors'}
              />
            ))}
          </div>
          <UsageTable days={days} />
        </>
      )}
    </Section>
  )
}

/** The newest day first: it is the one that is looked for. */
function UsageTable({ days }: { days: UsageOfDay[] }) {
  return (
    <details className="group min-w-0">
      <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
        Figures as a table
      </summary>
      <div className="mt-3 overflow-clip rounded-control border">
        <Table
          caption="Usage by day"
          head={
            <>
              <Head>Day (UTC)</Head>
              {measures.map(({ key, label }) => (
                <Head key={key} numeric>
                  {label}
                </Head>
              ))}
            </>
          }
        >
          {days.toReversed().map((each) => (
            <Row key={each.day}>
              <Cell className="whitespace-nowrap py-2">
                <time dateTime={each.day}>{each.day}</time>
              </Cell>
              {measures.map(({ key }) => (
                <Cell key={key} numeric muted={each[key] === 0} className="py-2">
                  {figure(each[key])}
                </Cell>
              ))}
            </Row>
          ))}
        </Table>
      </div>
    </details>
  )
}
