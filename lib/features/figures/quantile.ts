import { type Measure, timeClasses } from './measures'

/**
 * The time that a share of the requests took at most, as well as classes can tell: what lies in a class is taken as spread
 * evenly over it, and what took longer than all of them as the last one's end.
 * @param share such as 0.95
 * @param counts of a class
 * @returns milliseconds; undefined where there were no requests
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
