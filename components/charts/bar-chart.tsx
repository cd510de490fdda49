import { useId } from 'react'
import { cn } from '../ui/cn'
import { ChartTips } from './chart-tips'
import type { Periods } from './figures-table'

/**
 * Returns the top value of an axis for the highest value of a chart: the smallest number that is not below
 * the highest value, is at least 2, and is 2, 4, 6, 8, or 10 times a power of ten. Half of this number, the
 * middle of the axis, is also a whole number.
 */
export function axisTop(highest: number): number {
  if (highest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(highest))
  return power * (steps.find((step) => step * power >= highest) as number)
}

const steps = [1, 2, 4, 6, 8, 10]

const column = 10
const height = 112

/**
 * Returns the data of one SVG path for all bars. The path is much smaller than an element for each bar. A
 * value of 0 has no bar, and any other value has a bar that is high enough to be visible.
 */
const outlineOf = (values: readonly number[], top: number, gap: number): string =>
  values
    .map((value, at) => {
      const tall = Math.max(2, Math.round((value / top) * height))
      return value === 0 ? '' : `M${at * column + gap} ${height}v-${tall}h${column - 2 * gap}v${tall}z`
    })
    .join('')

/** The format of values from 10,000 on an axis, such as "12K". */
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en')
const shortly = (value: number) => (value < 10_000 ? whole : short).format(value)

/**
 * Draws one figure over time as bars. The server draws the bars, so only the tips that describe a bar on
 * hover require JavaScript. Each chart has its own scale. Screen readers read `summary`, and every page with
 * charts has a table of all values below the charts. See ADR 0030. If the page shows the total elsewhere,
 * omit `label` and `headline`. Without a headline, the chart is taller. If all values are 0, the chart has no
 * scale and shows `summary` instead.
 */
export function BarChart({
  label,
  name,
  headline,
  summary,
  periods: { names },
  values,
  texts,
  axis = shortly,
  bad = false,
}: {
  label?: string
  /** The accessible name of the chart, such as "Errors by day". */
  name: string
  /** The total, next to the label. */
  headline?: string
  summary: string
  periods: Periods
  /** The value of each bar, oldest first. */
  values: readonly number[]
  /** The values as text, for the tip of each bar. */
  texts: readonly string[]
  /** Formats a value on the axis. */
  axis?: (value: number) => string
  /** Whether high values are bad, as in a chart of errors. If so, the bars are red. */
  bad?: boolean
}) {
  const id = useId()
  const top = axisTop(Math.max(0, ...values))
  const empty = values.every((value) => value === 0)
  const ticks = empty ? [0] : [top, top / 2, 0]
  // The space on each side of a bar, which is smaller if there are many bars.
  const gap = values.length > 50 ? 0.75 : 1.5
  return (
    <figure className="min-w-0">
      {headline !== undefined && (
        <figcaption className="mb-3 flex items-baseline justify-between gap-3">
          <span className="text-muted">{label}</span>
          <span className="whitespace-nowrap font-semibold text-lg tabular-nums">{headline}</span>
        </figcaption>
      )}
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div
          aria-hidden
          className={cn(
            '-my-1.5 flex flex-col justify-between text-end text-[11px] text-muted tabular-nums leading-3',
            headline === undefined ? 'h-[188px]' : 'h-[124px]',
          )}
        >
          {!empty && ticks.map((value) => <span key={value}>{axis(value)}</span>)}
        </div>
        <div className={cn('relative', headline === undefined ? 'h-44' : 'h-28')}>
          <svg
            role="img"
            aria-labelledby={`${id}-title`}
            aria-describedby={`${id}-desc`}
            viewBox={`0 0 ${values.length * column} ${height}`}
            preserveAspectRatio="none"
            className="block size-full"
          >
            <title id={`${id}-title`}>{name}</title>
            <desc id={`${id}-desc`}>{summary}</desc>
            {ticks.map((value) => (
              <line
                key={value}
                x2={values.length * column}
                y1={height - (value / top) * height}
                y2={height - (value / top) * height}
                vectorEffect="non-scaling-stroke"
                className={value === 0 ? 'stroke-control' : 'stroke-border'}
              />
            ))}
            <path d={outlineOf(values, top, gap)} className={bad ? 'fill-danger' : 'fill-link'} />
          </svg>
          {empty && (
            <span
              aria-hidden
              className="absolute inset-0 grid place-items-center text-center text-[13px] text-muted"
            >
              {summary}
            </span>
          )}
          <ChartTips names={names} texts={texts} />
        </div>
        <p
          aria-hidden
          className="col-start-2 mt-1.5 flex justify-between text-[11px] text-muted tabular-nums leading-4"
        >
          <span>{names[0]}</span>
          <span>{names.at(-1)}</span>
        </p>
      </div>
    </figure>
  )
}
