import { expect, it } from 'vitest'
import { type Measure, timeClassOf } from './count-figure'
import { quantile } from './read-figures'

const of = (times: number[]) => {
  const counts = new Map<Measure, number>()
  for (const time of times) counts.set(timeClassOf(time), (counts.get(timeClassOf(time)) ?? 0) + 1)
  return (measure: Measure) => counts.get(measure) ?? 0
}

it('quantile returns a time within the class that contains the quantile', () => {
  const counts = of([...Array(90).fill(20), ...Array(10).fill(400)])
  expect(quantile(0.5, counts)).toBeGreaterThan(10)
  expect(quantile(0.5, counts)).toBeLessThanOrEqual(25)
  expect(quantile(0.9, counts)).toBe(25)
  expect(quantile(0.95, counts)).toBe(375)
})

it('quantile returns undefined if there are no requests, and the highest bound for requests that are slower than that bound', () => {
  expect(quantile(0.5, of([]))).toBeUndefined()
  expect(quantile(0.5, of([60_000]))).toBe(10_000)
  expect(quantile(0.99, of([1, 60_000]))).toBe(10_000)
})
