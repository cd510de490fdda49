import type { Slot } from '@/lib/features/figures/read-figures'
import { figure } from '../apps/usage-section'
import { BarChart } from '../charts/bar-chart'
import { FiguresTable, type Periods } from '../charts/figures-table'

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Formats the start of a slot in UTC, such as "21 Nov, 14:15". */
const slotName = ({ begins }: { begins: Date }): string => moments.format(begins)

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/**
 * Formats a duration in milliseconds, or in seconds if it is one second or longer. Returns "None" for
 * undefined.
 */
const took = (milliseconds: number | undefined): string =>
  milliseconds === undefined
    ? 'None'
    : milliseconds < 1_000
      ? `${figure(Math.round(milliseconds))} ms`
      : `${decimals.format(milliseconds / 1_000)} s`

const grants: Record<string, string> = {
  authorization_code: 'Authorization code',
  refresh_token: 'Refresh token',
  device_code: 'Device code',
}

/** Returns the display name of a grant type. Returns an unknown grant type unchanged. */
const grantName = (grant: string): string => grants[grant] ?? grant

/** A figure that is shown for each slot: its name, value, and format. */
export type ActivityMeasure = {
  label: string
  of: (slot: Slot) => number | undefined
  text: (value: number | undefined) => string
  /** How the headline aggregates the slots' values: as a sum, or as the highest value. */
  whole: 'sum' | 'highest'
  bad?: boolean
}

const counted = (value: number | undefined) => figure(value ?? 0)

/**
 * Returns the figures to show. Each grant type in the data has a figure. If the data contains no grant type,
 * the authorization code grant has a figure.
 */
function activityMeasures(slots: readonly Slot[]): ActivityMeasure[] {
  const used = [...new Set(slots.flatMap(({ tokens }) => Object.keys(tokens)))].sort()
  return [
    { label: 'Sign-ins', of: ({ signIns }) => signIns, text: counted, whole: 'sum' },
    {
      label: 'Failed sign-ins',
      of: ({ signInsRefused }) => signInsRefused,
      text: counted,
      whole: 'sum',
      bad: true,
    },
    ...(used.length > 0 ? used : ['authorization_code']).map(
      (grant): ActivityMeasure => ({
        label: `Tokens: ${grantName(grant)}`,
        of: ({ tokens }) => tokens[grant] ?? 0,
        text: counted,
        whole: 'sum',
      }),
    ),
    { label: 'Requests', of: ({ requests }) => requests, text: counted, whole: 'sum' },
    { label: 'Errors', of: ({ errors }) => errors, text: counted, whole: 'sum', bad: true },
    { label: 'Latency, median', of: ({ median }) => median, text: took, whole: 'highest' },
    { label: 'Latency, 95th percentile', of: ({ slow }) => slow, text: took, whole: 'highest' },
    {
      label: 'Jobs waiting',
      // A slot's value is an average. Without rounding, a small average would have a bar but be shown as 0.
      of: ({ waiting }) => waiting && Math.round(waiting * 10) / 10,
      text: (value) => (value === undefined ? 'Not measured' : decimals.format(value)),
      whole: 'highest',
    },
  ]
}

/**
 * Shows charts of the instance's activity, and a table of all values. @param slots the slots, oldest first
 */
export function ActivityCharts({ slots }: { slots: Slot[] }) {
  const periods = { dateTimes: slots.map(({ begins }) => begins.toISOString()), names: slots.map(slotName) }
  const columns = activityMeasures(slots).map((measure) => ({
    ...measure,
    texts: slots.map((slot) => measure.text(measure.of(slot))),
  }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 sm:p-6">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {columns.map((column) => (
          <MeasureChart key={column.label} measure={column} slots={slots} periods={periods} />
        ))}
      </div>
      <FiguresTable
        caption="Activity over time"
        time="From (UTC)"
        periods={periods}
        columns={columns.map(({ label, texts }) => ({ label, texts }))}
      />
    </div>
  )
}

function MeasureChart({
  measure: { label, of, text, texts, whole, bad },
  slots,
  periods,
}: {
  measure: ActivityMeasure & { texts: string[] }
  slots: Slot[]
  periods: Periods
}) {
  const values = slots.map((slot) => of(slot) ?? 0)
  const most = Math.max(...values)
  const at = slots[values.indexOf(most)]
  const sum = values.reduce((total, value) => total + value, 0)
  const known = slots.some((slot) => of(slot) !== undefined)
  const none = known ? 'None in this period.' : 'Not measured in this period.'
  const peak = at && most > 0 ? `Highest: ${text(most)}, on ${slotName(at)}.` : none
  return (
    <BarChart
      name={`${label} over time`}
      label={label}
      headline={
        whole === 'sum' ? text(sum) : most > 0 ? `${text(most)} at most` : text(known ? 0 : undefined)
      }
      summary={whole === 'sum' && sum > 0 ? `${text(sum)} in total. ${peak}` : peak}
      periods={periods}
      values={values}
      texts={texts}
      {...(whole === 'highest' && { axis: text })}
      bad={bad ?? false}
    />
  )
}
