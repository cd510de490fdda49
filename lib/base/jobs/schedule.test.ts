import { expect, it } from 'vitest'
import { cronOf, lastRun, nextRun, type Slot } from './schedule'

it.each<[Slot, string, string, string]>([
  [{}, '* * * * *', '2026-01-31T23:59:30Z', '2026-02-01T00:00:00Z'],
  [{}, '* * * * *', '2026-01-31T12:00:00Z', '2026-01-31T12:01:00Z'],
  [{ minute: 17 }, '17 * * * *', '2026-01-31T23:16:59Z', '2026-01-31T23:17:00Z'],
  [{ minute: 17 }, '17 * * * *', '2026-01-31T23:17:00Z', '2026-02-01T00:17:00Z'],
  [{ hour: 4, minute: 23 }, '23 4 * * *', '2026-12-31T04:22:00Z', '2026-12-31T04:23:00Z'],
  [{ hour: 4, minute: 23 }, '23 4 * * *', '2026-12-31T05:00:00Z', '2027-01-01T04:23:00Z'],
])('the slot %j has the cron expression %s, and its next run after %s is at %s', (slot, cron, now, next) => {
  expect(cronOf(slot)).toBe(cron)
  expect(nextRun(slot, new Date(now))).toEqual(new Date(next))
})

it.each<[Slot, string, string]>([
  [{}, '2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  [{}, '2026-01-31T12:00:59Z', '2026-01-31T12:00:00Z'],
  [{ minute: 17 }, '2026-02-01T00:16:59Z', '2026-01-31T23:17:00Z'],
  [{ minute: 17 }, '2026-01-31T23:17:00Z', '2026-01-31T23:17:00Z'],
  [{ hour: 4, minute: 23 }, '2027-01-01T04:22:00Z', '2026-12-31T04:23:00Z'],
  [{ hour: 4, minute: 23 }, '2026-12-31T05:00:00Z', '2026-12-31T04:23:00Z'],
])('the last run of the slot %j as of %s is at %s', (slot, now, last) => {
  expect(lastRun(slot, new Date(now))).toEqual(new Date(last))
})
