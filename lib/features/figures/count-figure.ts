import { statement } from '@/lib/base/db/statement'
import { gather } from '@/lib/base/process/tally'
import { bucketMs, type Measure } from './measures'

type Tally = { bucket: number; measure: Measure; value: number }

/** Rows are sorted, so that two replicas that settle at once take their locks in the same order. */
const addFigures = statement<never, [buckets: Date[], measures: string[], values: number[]]>(
  'settle-figures',
  `INSERT INTO figures AS known (bucket, measure, value)
   SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::bigint[]) AS t(bucket, measure, value)
    ORDER BY bucket, measure
   ON CONFLICT (bucket, measure) DO UPDATE SET value = known.value + excluded.value`,
)

/** What happened and the database has not been told yet. */
export const gatheredFigures = gather<Tally>('figures', {
  afterMs: 10_000,
  merge: (earlier, later) => {
    earlier.value += later.value
    return earlier
  },
  write: async (gathered) => {
    const due = [...gathered.values()]
    await addFigures(
      due.map(({ bucket }) => new Date(bucket)),
      due.map(({ measure }) => measure),
      due.map(({ value }) => value),
    )
  },
})

/**
 * Counts something that happened. Nothing waits for it, and no statement is sent for it alone.
 * @param now in milliseconds, for tests
 */
export function countFigure(measure: Measure, value = 1, now = Date.now()): void {
  const bucket = now - (now % bucketMs)
  gatheredFigures.add(`${bucket} ${measure}`, { bucket, measure, value })
}
