import { afterEach, expect, it, vi } from 'vitest'
import { databaseNow, measureClockOffset } from './clock'

afterEach(async () => {
  vi.useRealTimers()
  await measureClockOffset()
})

it.each([0, 120, -120])('measureClockOffset detects a clock offset of %i seconds', async (seconds) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  expect((await measureClockOffset()) / 1000).toBeCloseTo(seconds, -1)
  expect((Date.now() - databaseNow()) / 1000).toBeCloseTo(seconds, -1)
})
