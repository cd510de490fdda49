import {
  type UsageMeasure,
  type UsageRange,
  type UsageSlot,
  usageRanges,
} from '@/lib/features/apps/activity/read-usage'
import { BarChart } from '../charts/bar-chart'
import { FiguresTable, RangeNav } from '../charts/figures-table'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'

const figures = new Intl.NumberFormat('en')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns a count with thousands separators. */
export const figure = (count: number): string => figures.format(count)

/** Formats a day such as 2026-11-21 as "21 Nov", an hour such as 2026-11-21T14 as "21 Nov, 14:00". */
const slotName = (at: string): string => {
  const [day, hour] = at.split('T')
  const name = days.format(new Date(`${day}T00:00:00Z`))
  return hour ? `${name}, ${hour}:00` : name
}

type Shown = { key: UsageMeasure; label: string; bad?: boolean }

const ofDays: Shown[] = [
  { key: 'authorizations', label: 'Authorizations' },
  { key: 'tokens', label: 'Tokens' },
  { key: 'requests', label: 'API requests' },
  { key: 'errors', label: 'Errors', bad: true },
]

const ofHours: Shown[] = [
  { key: 'signIns', label: 'Sign-ins' },
  { key: 'refused', label: 'Refused requests', bad: true },
]

/**
 * Shows the usage of an app, or of all apps of a workspace: a chart and a sum of each figure, and a table of all.
 * @param slots oldest first
 * @param path the page
 */
export function UsageSection({
  slots,
  range,
  path,
  title = 'Usage',
}: {
  slots: UsageSlot[]
  range: UsageRange
  path: string
  title?: string
}) {
  const hourly = range === '24h'
  const measures = hourly ? ofHours : ofDays
  const count = ({ counts }: UsageSlot, key: UsageMeasure) => counts[key] ?? 0
  const unused = slots.every((slot) => measures.every(({ key }) => count(slot, key) === 0))
  const { label } = usageRanges[range]
  return (
    <Section
      title={title}
      description={
        hourly
          ? `The last ${label} by hour (UTC). API requests are counted per day: choose ${usageRanges['7d'].label} to see them.`
          : `The last ${label} (UTC)`
      }
      action={<RangeNav path={path} ranges={usageRanges} range={range} />}
      flush
    >
      {unused ? (
        <EmptyState title={`Nothing in the last ${label}`}>
          Usage appears here after users authorize an app and it calls the API.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 sm:p-6">
          <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
            {measures.map(({ key, label: what, bad = false }) => (
              <UsageChart
                key={key}
                label={what}
                slots={slots.map((slot) => ({ at: slot.at, count: count(slot, key) }))}
                bad={bad}
              />
            ))}
          </div>
          <FiguresTable
            caption={hourly ? 'Usage by hour' : 'Usage by day'}
            time={hourly ? 'Hour (UTC)' : 'Day (UTC)'}
            columns={measures.map((measure) => measure.label)}
            rows={slots.map((slot) => ({
              dateTime: hourly ? `${slot.at}:00Z` : slot.at,
              name: slotName(slot.at),
              cells: measures.map(({ key }) => ({
                text: figure(count(slot, key)),
                muted: count(slot, key) === 0,
              })),
            }))}
          />
        </div>
      )}
    </Section>
  )
}

/**
 * Charts one figure with a bar for each day or hour. Each chart has its own scale, since an app sends thousands of API
 * requests for each new authorization.
 */
function UsageChart({
  label,
  slots,
  bad = false,
}: {
  label: string
  /** Oldest first; a day as 2026-11-21, an hour as 2026-11-21T14. */
  slots: { at: string; count: number }[]
  /** Whether a higher figure is worse. */
  bad?: boolean
}) {
  const total = slots.reduce((sum, { count }) => sum + count, 0)
  const highest = slots.reduce((most, each) => (each.count > most.count ? each : most))
  const [first, last] = [slots[0], slots.at(-1)].map((each) => (each ? slotName(each.at) : ''))
  const unit = highest.at.includes('T') ? 'hour' : 'day'
  return (
    <BarChart
      label={label}
      name={`${label} by ${unit}`}
      headline={figure(total)}
      summary={
        total === 0
          ? 'None in this period.'
          : `${figure(total)} in total. Highest ${unit}: ${figure(highest.count)}, ${unit === 'hour' ? 'at' : 'on'} ${slotName(highest.at)}.`
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
