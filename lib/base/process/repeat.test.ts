import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { log } from '@/lib/base/log/log'
import { repeat } from './repeat'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('goes on after a failure, which it tells', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  let times = 0
  const stop = repeat('queueing', async () => {
    if (times++ === 0) throw new Error('connection lost')
  })
  await vi.advanceTimersToNextTimerAsync()
  await vi.advanceTimersToNextTimerAsync()
  expect(times).toBe(2)
  expect(warn.mock.calls).toEqual([
    ['work that is repeated failed', { name: 'queueing', error: new Error('connection lost') }],
  ])
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('is stopped for good, and in silence, also while it waits for a database that answers no more', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  let fail: (error: Error) => void = () => {}
  let times = 0
  const stop = repeat('queueing', () => {
    times++
    return new Promise((_resolve, reject) => {
      fail = reject
    })
  })
  await vi.advanceTimersToNextTimerAsync()
  stop()
  fail(new Error('Cannot use a pool after calling end on the pool'))
  await vi.runAllTimersAsync()
  expect(times).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
  expect(warn).not.toHaveBeenCalled()
})
