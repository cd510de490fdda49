import { expect, it } from 'vitest'
import { calendarTime, relativeTime } from './formats'

const now = Date.parse('2025-06-15T12:00:00Z')

it.each([
  ['2025-06-15T11:59:40Z', 'just now'],
  ['2025-06-15T12:00:20Z', 'in under a minute'],
  ['2025-06-15T11:57:00Z', '3 minutes ago'],
  ['2025-06-14T11:00:00Z', 'yesterday'],
  ['2025-06-15T11:00:01Z', '59 minutes ago'],
  ['2025-04-17T12:00:01Z', 'last month'],
  ['2025-06-15T12:59:40Z', 'in 1 hour'],
  ['2025-06-15T13:25:00Z', 'in 1 hour'],
  ['2025-06-16T11:58:00Z', 'tomorrow'],
  ['2025-06-22T11:57:00Z', 'in 7 days'],
  ['2025-06-29T13:00:00Z', 'in 14 days'],
  ['2025-09-13T11:57:00Z', 'in 90 days'],
  ['2025-09-20T12:00:00Z', 'in 3 months'],
  ['2026-06-15T11:57:00Z', 'in 12 months'],
  ['2027-06-15T11:57:00Z', 'in 2 years'],
  ['2023-01-01T00:00:00Z', '2 years ago'],
])('the time %s is shown as %s', (at, said) => expect(relativeTime(Date.parse(at), now)).toBe(said))

it.each([
  ['2025-06-15T11:59:40Z', 'jetzt'],
  ['2025-06-15T11:57:00Z', 'vor 3 Minuten'],
])('the time %s is shown as %s in German', (at, said) =>
  expect(relativeTime(Date.parse(at), now, 'de')).toBe(said),
)

it.each([
  ['2025-06-14T23:05:00Z', 'UTC', '14 Jun, 23:05'],
  ['2025-06-14T23:05:00Z', 'Europe/Berlin', '15 Jun, 01:05'],
  ['2024-12-31T23:30:00Z', 'UTC', '31 Dec 2024, 23:30'],
  ['2024-12-31T23:30:00Z', 'Europe/Berlin', '1 Jan, 00:30'],
])('the time %s in the zone %s is shown as %s', (at, zone, said) =>
  expect(calendarTime(new Date(at), now, zone)).toBe(said),
)
