import { useId } from 'react'
import { cn } from '../ui/cn'
import { figure, shortDay } from './usage-format'

const column = 10
const height = 56

/**
 * One figure of an app as a bar for each day, drawn on the server. Its bars are measured by its own highest day, since
 * an app asks the API a thousand times for each person who lets it in. A day's figure is told on hover; for whoever does
 * not see it, the chart says its sum and its highest day, and the table below it everything.
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
  const id = useId()
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const highest = days.reduce((most, each) => (each.count > most.count ? each : most))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{label}</span>
        <span className="font-semibold text-lg tabular-nums">{figure(total)}</span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        viewBox={`0 0 ${days.length * column} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 block h-14 w-full"
      >
        <title id={`${id}-title`}>{`${label} by day`}</title>
        <desc id={`${id}-desc`}>
          {total === 0
            ? 'None on any day.'
            : `${figure(total)} in all; the most on a day were ${figure(highest.count)}, on ${shortDay(highest.day)}.`}
        </desc>
        {days.map(({ day, count }, at) => {
          const tall = count === 0 ? 1 : Math.max(3, Math.round((count / highest.count) * height))
          const fill = bad ? 'fill-danger' : 'fill-link'
          return (
            <g key={day} className="group">
              <title>{`${shortDay(day)}: ${figure(count)}`}</title>
              <rect
                x={at * column}
                width={column}
                height={height}
                className="fill-transparent group-hover:fill-raised"
              />
              <rect
                x={at * column + 1.5}
                y={height - tall}
                width={column - 3}
                height={tall}
                className={cn(count === 0 ? 'fill-border' : fill)}
              />
            </g>
          )
        })}
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-[12px] text-muted leading-4">
        <span>{first && shortDay(first.day)}</span>
        <span>{last && shortDay(last.day)}</span>
      </p>
    </figure>
  )
}
