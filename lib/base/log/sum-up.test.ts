import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sumUp } from './sum-up'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Told = [entry: string, repeated: number, seconds: number]

function summing() {
  const told: Told[] = []
  return { told, ...sumUp<string>((...each) => told.push(each)) }
}

it('writes the first of equal entries, and after 30 seconds how many more there were, for as long as they come', () => {
  const { isFirst, told } = summing()
  expect(isFirst('away', 'the first')).toBe(true)
  for (let more = 0; more < 482; more++) expect(isFirst('away', 'another')).toBe(false)
  expect(told).toEqual([])
  vi.advanceTimersByTime(30_000)
  expect(told).toEqual([['the first', 482, 30]])
  expect(isFirst('away', 'another')).toBe(false)
  vi.advanceTimersByTime(30_000)
  expect(told.slice(1)).toEqual([['the first', 1, 30]])
  vi.advanceTimersByTime(30_000)
  expect(told).toHaveLength(2)
  expect(isFirst('away', 'a new one')).toBe(true)
})

it('keeps kinds apart', () => {
  const { isFirst, told } = summing()
  expect([isFirst('one', 'a'), isFirst('two', 'b'), isFirst('two', 'b')]).toEqual([true, true, false])
  vi.advanceTimersByTime(30_000)
  expect(told).toEqual([['b', 1, 30]])
})

it('tells at the end of the process what is not told yet', () => {
  const { isFirst, settle, told } = summing()
  for (let times = 0; times < 3; times++) isFirst('away', 'a')
  vi.advanceTimersByTime(7_000)
  settle()
  expect(told).toEqual([['a', 2, 7]])
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveLength(1)
})

it('writes everything when there are more kinds than it looks out for', () => {
  const { isFirst } = summing()
  for (let kind = 0; kind < 1_000; kind++) isFirst(String(kind), '')
  expect([isFirst('one more', ''), isFirst('one more', '')]).toEqual([true, true])
})
