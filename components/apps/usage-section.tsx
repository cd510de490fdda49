import { FiguresTable } from '../charts/figures-table'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
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
          <FiguresTable
            caption="Usage by day"
            time="Day (UTC)"
            columns={measures.map(({ label }) => label)}
            rows={days.map((each) => ({
              dateTime: each.day,
              name: each.day,
              cells: measures.map(({ key }) => ({ text: figure(each[key]), muted: each[key] === 0 })),
            }))}
          />
        </>
      )}
    </Section>
  )
}
