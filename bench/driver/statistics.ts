/** Returns the median of the finite values, or NaN if there are none. */
export function median(values: number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/**
 * Returns a percentile, or NaN for an empty list.
 * @param sorted values in ascending order
 * @param share a number from 0 to 1, such as 0.99 for the 99th percentile
 */
export const percentile = (sorted: Float64Array | number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
