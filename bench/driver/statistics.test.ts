import { expect, it } from 'vitest'
import { median, percentile } from './statistics'

it('median returns the median of unsorted values', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

it('percentile returns the requested percentile of sorted values', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  expect(percentile(hundred, 0.5)).toBe(51)
  expect(percentile(hundred, 0.99)).toBe(100)
  expect(percentile([7], 0.99)).toBe(7)
})
