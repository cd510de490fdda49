import type { Slot } from '@/lib/features/figures/read-figures'
import { BarChart } from '../charts/bar-chart'
import { FiguresTable } from '../charts/figures-table'
import { type ActivityMeasure, activityMeasures, slotName } from './activity-format'

/** What the installation did over time: a chart of each figure, and all of it as a table. @param slots oldest first */
export function ActivityCharts({ slots }: { slots: Slot[] }) {
  const measures = activityMeasures(slots)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 sm:p-6">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {measures.map((measure) => (
          <MeasureChart key={measure.label} measure={measure} slots={slots} />
        ))}
      </div>
      <FiguresTable
        caption="Activity over time"
        time="From (UTC)"
        columns={measures.map(({ label }) => label)}
        rows={slots.map((slot) => ({
          dateTime: slot.begins.toISOString(),
          name: slotName(slot),
          cells: measures.map(({ of, text }) => ({ text: text(of(slot)), muted: !of(slot) })),
        }))}
      />
    </div>
  )
}

function MeasureChart({ measure, slots }: { measure: ActivityMeasure; slots: Slot[] }) {
  const { label, of, text, whole, bad } = measure
  const values = slots.map((slot) => of(slot) ?? 0)
  const most = Math.max(...values)
  const at = slots[values.indexOf(most)]
  const sum = values.reduce((total, value) => total + value, 0)
  const ends = [slots[0], slots.at(-1)].map((slot) => (slot ? slotName(slot) : ''))
  const known = slots.some((slot) => of(slot) !== undefined)
  const peak = at && most > 0 ? `The most were ${text(most)}, on ${slotName(at)}.` : 'None at any time.'
  return (
    <BarChart
      name={`${label} over time`}
      label={label}
      headline={whole === 'sum' ? text(sum) : most > 0 ? `up to ${text(most)}` : text(known ? 0 : undefined)}
      summary={whole === 'sum' && sum > 0 ? `${text(sum)} in all. ${peak}` : peak}
      bars={slots.map((slot, index) => ({
        key: slot.begins.toISOString(),
        value: values[index] as number,
        told: `${slotName(slot)}: ${text(of(slot))}`,
      }))}
      ends={ends as [string, string]}
      {...(whole === 'highest' && { axis: text })}
      bad={bad ?? false}
    />
  )
}
