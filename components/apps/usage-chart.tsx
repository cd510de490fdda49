import { BarChart } from '../charts/bar-chart'
import { figure, slotName } from './usage-format'

/**
 * One figure as a bar for each day or hour. Its bars are measured by its own highest, since an app asks the API a thousand
 * times for each person who lets it in.
 */
export function UsageChart({
  label,
  slots,
  bad = false,
}: {
  label: string
  /** Oldest first; the day as 2026-11-21, the hour as 2026-11-21T14. */
  slots: { at: string; count: number }[]
  /** Draws what nobody wants more of. */
  bad?: boolean
}) {
  const total = slots.reduce((sum, { count }) => sum + count, 0)
  const highest = slots.reduce((most, each) => (each.count > most.count ? each : most))
  const [first, last] = [slots[0], slots.at(-1)].map((each) => (each ? slotName(each.at) : ''))
  const unit = highest.at.includes('T') ? 'hour' : 'day'
  const on = unit === 'hour' ? 'in' : 'on'
  return (
    <BarChart
      label={label}
      name={`${label} by ${unit}`}
      headline={figure(total)}
      summary={
        total === 0
          ? `None ${on} any ${unit}.`
          : `${figure(total)} in all; the most ${on} ${unit === 'hour' ? 'an' : 'a'} ${unit} were ${figure(highest.count)}, on ${slotName(highest.at)}.`
      }
      bars={slots.map(({ at, count }) => ({
        key: at,
        value: count,
        told: `${slotName(at)}: ${figure(count)}`,
      }))}
      ends={[first as string, last as string]}
      bad={bad}
    />
  )
}
