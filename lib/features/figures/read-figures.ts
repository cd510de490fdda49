import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { figureTally, type Measure, timeClasses } from './count-figure'

const hourMs = 3_600_000

/** The time ranges of the charts, with the number and length of their slots. */
export const ranges = {
  '24h': { label: '24 hours', slots: 96, slotMs: hourMs / 4 },
  '7d': { label: '7 days', slots: 84, slotMs: 2 * hourMs },
  '30d': { label: '30 days', slots: 90, slotMs: 8 * hourMs },
} as const

export type Range = keyof typeof ranges

/** The instance's figures in one slot. */
export type Slot = {
  begins: Date
  requests: number
  /** The number of requests whose response had a status of 500 or above. */
  errors: number
  signIns: number
  signInsRefused: number
  /** The number of token endpoint responses that contain an access token, by grant type. */
  tokens: Record<string, number>
  /** The estimated median of the response times, in milliseconds. Undefined if there were no requests. */
  median?: number | undefined
  /**
   * The estimated 95th percentile of the response times, in milliseconds. Undefined if there were no
   * requests.
   */
  slow?: number | undefined
  /** The average number of due jobs in the queue. Undefined if the queue was not read in this slot. */
  waiting?: number | undefined
}

const sumFigures = statement<
  { slot: number; measure: Measure; value: number },
  [begin: Date, end: Date, slotMs: number]
>(
  'read-figures',
  `SELECT floor(extract(epoch FROM bucket - $1::timestamptz) * 1000 / $3::int)::int AS slot, measure,
          sum(value)::float8 AS value
     FROM figures WHERE bucket >= $1 AND bucket < $2 GROUP BY 1, 2`,
)

/**
 * Returns the instance's figures by slot, oldest first. In slots without figures, the counts are zero,
 * `tokens` is empty, and the other figures are undefined.
 * @param now the current time in milliseconds, for tests
 * @throws AppError FORBIDDEN if the caller is not an instance admin in a browser session, TWO_FACTOR_REQUIRED
 */
export async function readFigures(actor: Actor, range: Range, now = Date.now()): Promise<Slot[]> {
  authorizeInstance(actor)
  // Write the figures that this process collected in the last seconds, so that they are included.
  await figureTally.now()
  const { slots, slotMs } = ranges[range]
  const end = now - (now % slotMs) + slotMs
  const begin = end - slots * slotMs
  const rows = await sumFigures(new Date(begin), new Date(end), slotMs)
  const sums = Array.from({ length: slots }, () => new Map<Measure, number>())
  for (const { slot, measure, value } of rows) sums[slot]?.set(measure, value)
  return sums.map((sum, at) => describe(new Date(begin + at * slotMs), sum))
}

function describe(begins: Date, sum: ReadonlyMap<Measure, number>): Slot {
  const of = (measure: Measure) => sum.get(measure) ?? 0
  const looked = of('queue:looked')
  return {
    begins,
    requests: of('requests'),
    errors: of('errors'),
    signIns: of('sign-ins:good'),
    signInsRefused: of('sign-ins:refused'),
    tokens: Object.fromEntries(
      [...sum].flatMap(([measure, value]) =>
        measure.startsWith('tokens:') ? [[measure.slice('tokens:'.length), value]] : [],
      ),
    ),
    median: quantile(0.5, of),
    slow: quantile(0.95, of),
    waiting: looked > 0 ? of('queue:waiting') / looked : undefined,
  }
}

/**
 * Estimates a quantile of the response times from their classes. Assumes that times are evenly distributed
 * within a class, and uses the highest bound for all times above that bound.
 * @param share the quantile, such as 0.95
 * @param counts returns the number of requests in a class
 * @returns the time in milliseconds, or undefined if there were no requests
 */
export function quantile(share: number, counts: (measure: Measure) => number): number | undefined {
  const classes = timeClasses.map((end, at) => ({
    begin: timeClasses[at - 1] ?? 0,
    end,
    count: counts(`took:${end}`),
  }))
  const longer = counts('took:longer')
  const total = classes.reduce((sum, { count }) => sum + count, longer)
  if (total === 0) return undefined
  let left = share * total
  for (const { begin, end, count } of classes) {
    if (count >= left && count > 0) return begin + ((end - begin) * left) / count
    left -= count
  }
  return timeClasses.at(-1)
}
