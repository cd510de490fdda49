import { addressOf } from '@/lib/edges/web/console/list-page'
import {
  type UsageMeasure,
  type UsageRange,
  type UsageSlot,
  usageRanges,
} from '@/lib/features/apps/activity/read-usage'
import { BarChart } from '../charts/bar-chart'
import { FiguresTable, type Periods } from '../charts/figures-table'
import { RangeNav } from '../charts/range-nav'
import { Section } from '../ui/card'
import { cn } from '../ui/cn'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'

const figures = new Intl.NumberFormat('en')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns a count as text with thousands separators. */
export const figure = (count: number): string => figures.format(count)

/** Formats a day such as 2026-11-21 as "21 Nov", and an hour such as 2026-11-21T14 as "21 Nov, 14:00". */
const slotName = (at: string): string => {
  const [day, hour] = at.split('T')
  const name = days.format(new Date(`${day}T00:00:00Z`))
  return hour ? `${name}, ${hour}:00` : name
}

type Series = { key: UsageMeasure; label: string; bad?: boolean }

const ofDays: Series[] = [
  { key: 'authorizations', label: 'Sign-ins' },
  { key: 'tokens', label: 'Tokens' },
  { key: 'requests', label: 'API requests' },
  { key: 'errors', label: 'Errors', bad: true },
]

const ofHours: Series[] = [
  { key: 'signIns', label: 'Sign-ins' },
  { key: 'refused', label: 'Refused requests', bad: true },
]

const count = ({ counts }: UsageSlot, key: UsageMeasure) => counts[key] ?? 0

const textsOf = (slots: readonly UsageSlot[], key: UsageMeasure) =>
  slots.map((slot) => figure(count(slot, key)))

const totalOf = (slots: readonly UsageSlot[], key: UsageMeasure) =>
  slots.reduce((sum, slot) => sum + count(slot, key), 0)

/**
 * Shows the usage of one app or of all apps of a workspace: the total of each series, a chart of the selected
 * series, and a table of all series. If all totals are zero, shows only a notice.
 * @param slots the counts of each hour or day, oldest first
 */
export function UsageSection({
  slots,
  range,
  shown,
  path,
  kept = {},
  title = 'Usage',
}: {
  slots: UsageSlot[]
  range: UsageRange
  /** The key of the selected series, from the URL. If no series has this key, the first series is shown. */
  shown: string
  path: string
  /** The page's other URL parameters, which the links keep. */
  kept?: Record<string, string>
  title?: string
}) {
  const hourly = range === '24h'
  const series = hourly ? ofHours : ofDays
  const selected = series.find(({ key }) => key === shown) ?? (series[0] as Series)
  const unused = series.every(({ key }) => totalOf(slots, key) === 0)
  const { label } = usageRanges[range]
  const periods = {
    dateTimes: slots.map(({ at }) => (hourly ? `${at}:00Z` : at)),
    names: slots.map(({ at }) => slotName(at)),
  }
  return (
    <Section
      title={title}
      description={
        hourly
          ? `The last ${label} by hour (UTC). API requests are counted per day: choose ${usageRanges['7d'].label} to see them.`
          : `The last ${label} (UTC)`
      }
      action={<RangeNav path={path} ranges={usageRanges} range={range} kept={{ ...kept, show: shown }} />}
      flush
    >
      {unused ? (
        <EmptyState title={`No usage in the last ${label}`}>
          Usage appears here after users authorize an app and the app calls the API.
        </EmptyState>
      ) : (
        <>
          <SeriesNav
            series={series}
            selected={selected.key}
            slots={slots}
            path={path}
            kept={{ ...kept, range }}
          />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4 pt-5 sm:px-5">
            <SeriesChart series={selected} slots={slots} periods={periods} />
            <FiguresTable
              caption={hourly ? 'Usage by hour' : 'Usage by day'}
              time={hourly ? 'Hour (UTC)' : 'Day (UTC)'}
              periods={periods}
              columns={series.map(({ key, label }) => ({ label, texts: textsOf(slots, key) }))}
            />
          </div>
        </>
      )}
    </Section>
  )
}

/** Shows the total of each series as a link to its chart. The links work without JavaScript. */
const SeriesNav = ({
  series,
  selected,
  slots,
  path,
  kept,
}: {
  series: readonly Series[]
  selected: UsageMeasure
  slots: readonly UsageSlot[]
  path: string
  kept: Record<string, string>
}) => (
  <nav aria-label="Series" className="border-b">
    <ul className={cn('-mr-px grid grid-cols-2', series.length > 2 && 'sm:grid-cols-4')}>
      {series.map(({ key, label, bad }) => {
        const total = totalOf(slots, key)
        return (
          <li key={key} className="min-w-0 border-r max-sm:nth-[n+3]:border-t">
            <Link
              href={addressOf(path, { ...kept, show: key })}
              scroll={false}
              aria-current={key === selected ? 'true' : undefined}
              className="grid h-full gap-0.5 border-transparent border-b-2 px-4 py-2.5 hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:border-link sm:px-5"
            >
              <span className="truncate text-[13px] text-muted">{label}</span>
              <span className={cn('font-semibold text-lg tabular-nums', bad && total > 0 && 'text-danger')}>
                {figure(total)}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  </nav>
)

/** Charts one series with a bar for each day or hour. */
function SeriesChart({
  series: { key, label, bad = false },
  slots,
  periods,
}: {
  series: Series
  slots: readonly UsageSlot[]
  periods: Periods
}) {
  const total = totalOf(slots, key)
  const highest = slots.reduce((most, each) => (count(each, key) > count(most, key) ? each : most))
  const unit = highest.at.includes('T') ? 'hour' : 'day'
  return (
    <BarChart
      name={`${label} by ${unit}`}
      summary={
        total === 0
          ? 'None in this period.'
          : `${figure(total)} in total. Highest ${unit}: ${figure(count(highest, key))}, ${unit === 'hour' ? 'at' : 'on'} ${slotName(highest.at)}.`
      }
      periods={periods}
      values={slots.map((slot) => count(slot, key))}
      texts={textsOf(slots, key)}
      bad={bad}
    />
  )
}
