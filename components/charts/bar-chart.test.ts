import { expect, it } from 'vitest'
import { axisTop } from './bar-chart'

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [10, 10],
  [11, 20],
  [99, 100],
  [100, 100],
  [101, 200],
  [1_204, 2_000],
  [64_001, 80_000],
])('an axis for values up to %d ends at %d', (highest, top) => {
  expect(axisTop(highest)).toBe(top)
})
