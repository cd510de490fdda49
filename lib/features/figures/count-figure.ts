import { deleteInBatches } from '@/lib/base/db/batches'
import { statement } from '@/lib/base/db/statements'
import { readQueues } from '@/lib/base/jobs/insert-jobs'
import { collect } from '@/lib/base/process/tally'
import { signIns, tokensIssued } from '@/lib/base/telemetry/metrics'
import type { Labels } from '@/lib/base/telemetry/telemetry'

/** Where the classes of answering times end, in milliseconds; the last has no end. */
export const timeClasses = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** What is counted, as the column `measure` has it. Words of ours alone: nobody outside can make up another. */
export type Measure =
  | 'requests'
  | 'errors'
  | `took:${number}`
  | 'took:longer'
  | 'sign-ins:good'
  | 'sign-ins:refused'
  | `tokens:${string}`
  | 'queue:waiting'
  | 'queue:looked'

/** The class of an answering time in milliseconds. */
export const timeClassOf = (milliseconds: number): Measure => {
  const end = timeClasses.find((each) => milliseconds <= each)
  return end === undefined ? 'took:longer' : `took:${end}`
}

/** How long a bucket is, in milliseconds. */
const bucketMs = 300_000

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
export const gatheredFigures = collect<Tally>('figures', {
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

/**
 * Counts an answered request.
 * @param failure the status of a failed answer, as text; a client that did not wait is no error of ours
 */
export function countAnswer(milliseconds: number, failure: string | undefined): void {
  countFigure('requests')
  countFigure(timeClassOf(milliseconds))
  if (Number(failure) >= 500) countFigure('errors')
}

/** Counts for the charts what is measured anyway (lib/base/telemetry/metrics), so that charts and metrics agree. */
export function countMetric(metric: string, value: number, labels: Labels): void {
  if (metric === tokensIssued.name) countFigure(`tokens:${labels.grant ?? 'other'}`, value)
  if (metric === signIns.name) {
    if (labels.outcome === 'success') countFigure('sign-ins:good', value)
    if (labels.outcome === 'refused' || labels.outcome === 'limited') countFigure('sign-ins:refused', value)
  }
}

/** Counts what waits in the queue now. Replicas share the queue, so one of them looks. */
export async function noteQueue(): Promise<void> {
  const queues = await readQueues()
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  countFigure('queue:waiting', waiting)
  countFigure('queue:looked')
  await gatheredFigures.now()
}

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 60_000

/** Drops figures that no chart shows any more: those of more than 31 days ago. @returns how many */
export const forgetFigures = (): Promise<number> =>
  deleteInBatches(
    { table: 'figures', key: 'bucket', where: `bucket < now() - interval '31 days'` },
    performance.now() + longestMs,
  )
