import { BarChart } from '../charts/bar-chart'
import { figure, shortDay } from './usage-format'

/**
 * One figure of an app as a bar for each day. Its bars are measured by its own highest day, since an app asks the API a
 * thousand times for each person who lets it in.
 */
export function UsageChart({
  label,
  days,
  bad = false,
}: {
  label: string
  /** Oldest first; the day as 2026-11-21. */
  days: { day: string; count: number }[]
  /** Draws what nobody wants more of. */
  bad?: boolean
}) {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const highest = days.reduce((most, each) => (each.count > most.count ? each : most))
  const ends = [days[0], days.at(-1)].map((each) => (each ? shortDay(each.day) : ''))
  return (
    <BarChart
      label={label}
      name={`${label} by day`}
      headline={figure(total)}
      summary={
        total === 0
          ? 'None on any day.'
          : `${figure(total)} in all; the most on a day were ${figure(highest.count)}, on ${shortDay(highest.day)}.`
      }
      bars={days.map(({ day, count }) => ({
        key: day,
        value: count,
        told: `${shortDay(day)}: ${figure(count)}`,
      }))}
      ends={ends as [string, string]}
      bad={bad}
    />
  )
}
