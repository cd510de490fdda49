import { cn } from '../ui/cn'

export type Figure = {
  label: string
  /** The value of each day, oldest first: as many of last week as of this one. */
  days: readonly number[]
  /** More of it is worse. */
  bad?: boolean
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** A few figures of the last week, each beside how it was the week before, with its course as a line. */
export function FigureRow({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="grid overflow-clip rounded-card border bg-surface sm:grid-cols-3">
      {figures.map(({ label, days, bad = false }) => {
        const half = Math.floor(days.length / 2)
        const [before, now] = [sum(days.slice(0, half)), sum(days.slice(half))]
        return (
          <div
            key={label}
            className="grid content-start gap-0.5 border-b px-4 pt-3.5 pb-3 last:border-b-0 sm:border-r sm:border-b-0 sm:last:border-r-0"
          >
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="flex flex-wrap items-baseline gap-x-2 font-semibold text-2xl tabular-nums leading-8 tracking-[-0.022em]">
              {now.toLocaleString('en')}
              <Change before={before} now={now} bad={bad} />
            </dd>
            <Spark values={days.slice(half)} bad={bad} />
          </div>
        )
      })}
    </dl>
  )
}

function Change({ before, now, bad }: { before: number; now: number; bad: boolean }) {
  if (before === now)
    return <small className="font-medium text-muted text-xs tracking-normal">as last week</small>
  const more = now > before
  const share =
    before === 0 || now > 3 * before ? '' : ` (${Math.round((Math.abs(now - before) / before) * 100)}%)`
  return (
    <small
      className={cn(
        'font-medium text-xs tracking-normal',
        bad && more ? 'text-danger' : more || bad ? 'text-success' : 'text-muted',
      )}
    >
      {more ? '+' : '−'}
      {Math.abs(now - before).toLocaleString('en')}
      {share}
      <span className="sr-only"> against the week before</span>
    </small>
  )
}

/** Decorative: the figure says it. */
function Spark({ values, bad }: { values: readonly number[]; bad: boolean }) {
  const highest = Math.max(1, ...values)
  const points = values.map(
    (value, at) => `${(at / Math.max(1, values.length - 1)) * 100},${26 - (value / highest) * 24}`,
  )
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      className={cn('mt-1.5 h-7 w-full overflow-visible', bad ? 'text-chart-bad' : 'text-chart-1')}
    >
      <polygon points={`0,28 ${points.join(' ')} 100,28`} fill="currentColor" opacity="0.12" />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
