import { useId } from 'react'
import { cn } from '../ui/cn'

/** One bar: what it stands for is said on hover. */
export type Bar = {
  key: string
  value: number
  /** Such as "21 Nov: 1,204". */
  told: string
}

const column = 10
const height = 56

/**
 * One figure over time as bars, drawn on the server and measured by its own highest. A bar is told on hover; for whoever
 * does not see it the chart says `summary`, and the table that every page has below it says everything.
 */
export function BarChart({
  label,
  name,
  headline,
  summary,
  bars,
  ends,
  bad = false,
}: {
  label: string
  /** What the picture is called where it is not seen, such as "Errors by day". */
  name: string
  /** What it comes to, beside the label. */
  headline: string
  summary: string
  /** Oldest first. */
  bars: readonly Bar[]
  /** What stands below the first and the last bar. */
  ends: readonly [string, string]
  /** Draws what nobody wants more of. */
  bad?: boolean
}) {
  const id = useId()
  const highest = Math.max(...bars.map(({ value }) => value))
  // A gap between bars, unless there are so many that it would be all one sees.
  const gap = bars.length > 50 ? 0.75 : 1.5
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{label}</span>
        <span className="font-semibold text-lg tabular-nums">{headline}</span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        viewBox={`0 0 ${bars.length * column} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 block h-14 w-full"
      >
        <title id={`${id}-title`}>{name}</title>
        <desc id={`${id}-desc`}>{summary}</desc>
        {bars.map(({ key, value, told }, at) => {
          const tall = value === 0 ? 1 : Math.max(3, Math.round((value / highest) * height))
          const fill = bad ? 'fill-danger' : 'fill-link'
          return (
            <g key={key} className="group">
              <title>{told}</title>
              <rect
                x={at * column}
                width={column}
                height={height}
                className="fill-transparent group-hover:fill-hover"
              />
              <rect
                x={at * column + gap}
                y={height - tall}
                width={column - 2 * gap}
                height={tall}
                className={cn(value === 0 ? 'fill-border' : fill)}
              />
            </g>
          )
        })}
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-[12px] text-muted leading-4">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </figure>
  )
}
