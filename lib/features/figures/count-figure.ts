import { deleteInBatches } from '@/lib/base/db/batches'
import { statement } from '@/lib/base/db/statements'
import { readQueues } from '@/lib/base/jobs/insert-jobs'
import { collect } from '@/lib/base/process/tally'
import { signIns, tokensIssued } from '@/lib/base/telemetry/metrics'
import type { Labels } from '@/lib/base/telemetry/telemetry'

/**
 * The upper bounds of the response time classes, in milliseconds. Longer times are in the class
 * `took:longer`, which has no upper bound.
 */
export const timeClasses = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/**
 * The values of the column `measure`. They contain no text from clients. Otherwise, clients could add any
 * number of rows to the table.
 */
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

/** Returns the response time class for a time in milliseconds. */
export const timeClassOf = (milliseconds: number): Measure => {
  const end = timeClasses.find((each) => milliseconds <= each)
  return end === undefined ? 'took:longer' : `took:${end}`
}

/** The length of a bucket, in milliseconds. */
const bucketMs = 300_000

type Tally = { bucket: number; measure: Measure; value: number }

/**
 * Adds values to the stored figures. Sorts the rows, so that replicas that write concurrently lock them in
 * the same order and do not deadlock.
 */
const addFigures = statement<never, [buckets: Date[], measures: string[], values: number[]]>(
  'settle-figures',
  `INSERT INTO figures AS known (bucket, measure, value)
   SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::bigint[]) AS t(bucket, measure, value)
    ORDER BY bucket, measure
   ON CONFLICT (bucket, measure) DO UPDATE SET value = known.value + excluded.value`,
)

/** The figures that this process has not written to the database yet. */
export const figureTally = collect<Tally>('figures', {
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
 * Adds a value to a figure of the current five minutes in memory. Figures are written in batches, and
 * requests do not wait for the write.
 * @param now the current time in milliseconds, for tests
 */
export function countFigure(measure: Measure, value = 1, now = Date.now()): void {
  const bucket = now - (now % bucketMs)
  figureTally.add(`${bucket} ${measure}`, { bucket, measure, value })
}

/**
 * Counts a request, its response time, and a server error if the response failed with a status of 500 or
 * above.
 * @param failure the status of a failed response as text, `aborted` if the client disconnected, or undefined
 * if the response succeeded
 */
export function countAnswer(milliseconds: number, failure: string | undefined): void {
  countFigure('requests')
  countFigure(timeClassOf(milliseconds))
  if (Number(failure) >= 500) countFigure('errors')
}

/**
 * Counts token responses and sign-ins for the charts when their metrics change (lib/base/telemetry/metrics),
 * so that the charts and the exported metrics agree. Ignores other metrics, and sign-ins with an outcome that
 * the charts do not show.
 */
export function countMetric(metric: string, value: number, labels: Labels): void {
  if (metric === tokensIssued.name) countFigure(`tokens:${labels.grant ?? 'other'}`, value)
  if (metric === signIns.name) {
    if (labels.outcome === 'success') countFigure('sign-ins:good', value)
    if (labels.outcome === 'refused' || labels.outcome === 'limited') countFigure('sign-ins:refused', value)
  }
}

/**
 * Adds the number of due jobs in the queue to the figures, and writes all figures in memory to the database.
 * Call this function on only one replica, because all replicas share the queue.
 */
export async function noteQueue(): Promise<void> {
  const queues = await readQueues()
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  countFigure('queue:waiting', waiting)
  countFigure('queue:looked')
  await figureTally.now()
}

/**
 * The time after which a cleanup run starts no more batches, in milliseconds. The next run deletes the
 * remaining figures.
 */
const longestMs = 60_000

/**
 * Deletes figures that are older than 31 days, because no chart shows them. Leaves the rest to the next run
 * if the time in `longestMs` has passed.
 * @returns the number of deleted figures
 */
export const forgetFigures = (): Promise<number> =>
  deleteInBatches(
    { table: 'figures', key: 'bucket', where: `bucket < now() - interval '31 days'` },
    performance.now() + longestMs,
  )
