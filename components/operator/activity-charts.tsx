import { ChevronRight } from 'lucide-react'
import { BarChart } from '../charts/bar-chart'
import { Cell, Head, Row, Table } from '../ui/table'
import { type ActivityMeasure, type ActivitySlot, activityMeasures, slotName } from './activity-format'

/** What the installation did over time: a chart of each figure, and all of it as a table. @param slots oldest first */
export function ActivityCharts({ slots }: { slots: ActivitySlot[] }) {
  const measures = activityMeasures(slots)
  return (
    <>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {measures.map((measure) => (
          <MeasureChart key={measure.label} measure={measure} slots={slots} />
        ))}
      </div>
      <ActivityTable measures={measures} slots={slots} />
    </>
  )
}

function MeasureChart({ measure, slots }: { measure: ActivityMeasure; slots: ActivitySlot[] }) {
  const { label, of, text, whole, bad } = measure
  const values = slots.map((slot) => of(slot) ?? 0)
  const most = Math.max(...values)
  const at = slots[values.indexOf(most)]
  const sum = values.reduce((total, value) => total + value, 0)
  const ends = [slots[0], slots.at(-1)].map((slot) => (slot ? slotName(slot) : ''))
  const peak = at && most > 0 ? `The most were ${text(most)}, on ${slotName(at)}.` : 'None at any time.'
  return (
    <BarChart
      name={`${label} over time`}
      label={label}
      headline={whole === 'sum' ? text(sum) : `up to ${text(most > 0 ? most : undefined)}`}
      summary={whole === 'sum' && sum > 0 ? `${text(sum)} in all. ${peak}` : peak}
      bars={slots.map((slot, index) => ({
        key: slot.begins.toISOString(),
        value: values[index] as number,
        told: `${slotName(slot)}: ${text(of(slot))}`,
      }))}
      ends={ends as [string, string]}
      bad={bad ?? false}
    />
  )
}

/** The newest first: it is the one that is looked for. */
function ActivityTable({ measures, slots }: { measures: ActivityMeasure[]; slots: ActivitySlot[] }) {
  return (
    <details className="group min-w-0">
      <summary className="flex w-fit list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
        Figures as a table
      </summary>
      <div className="mt-3 overflow-clip rounded-control border">
        <Table
          caption="Activity over time"
          head={
            <>
              <Head>From (UTC)</Head>
              {measures.map(({ label }) => (
                <Head key={label} numeric>
                  {label}
                </Head>
              ))}
            </>
          }
        >
          {slots.toReversed().map((slot) => (
            <Row key={slot.begins.toISOString()}>
              <Cell className="whitespace-nowrap py-2">
                <time dateTime={slot.begins.toISOString()}>{slotName(slot)}</time>
              </Cell>
              {measures.map(({ label, of, text }) => (
                <Cell key={label} numeric muted={!of(slot)} className="py-2">
                  {text(of(slot))}
                </Cell>
              ))}
            </Row>
          ))}
        </Table>
      </div>
    </details>
  )
}
