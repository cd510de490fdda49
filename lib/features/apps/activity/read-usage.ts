import { firstIdAt } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { appUsageTally, type Use, uses } from '../../figures/count-usage'
import { requireApp } from '../require-app'
import { gatheredActivity } from './note-activity'

/** The usage of an app on one day. `day` is a UTC date, such as 2026-11-21. */
export type UsageDay = { day: string } & Record<Use, number>

/** The number of days that `readUsageOf` returns. */
const shownDays = 30

const dayMs = 86_400_000

/**
 * Returns the usage of several apps on each of the last 30 days, including today, oldest first. Days without
 * usage have zeros. Runs one statement. The caller must first check `workspace:manage-apps` for each app.
 * @param now the current time in milliseconds, for tests
 */
export async function readUsageOf(clientIds: readonly string[], now = Date.now()): Promise<UsageDay[][]> {
  // Write the usage that this process counted in the last few seconds, so that the result includes it.
  await appUsageTally.now()
  const days = Array.from({ length: shownDays }, (_, index) =>
    new Date(now - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
  const rows = await prisma().appUsage.findMany({
    where: { clientId: { in: [...clientIds] }, day: { gte: new Date(days[0] as string) } },
  })
  const byDay = new Map(rows.map((row) => [`${row.clientId} ${row.day.toISOString().slice(0, 10)}`, row]))
  return clientIds.map((clientId) =>
    days.map((day) => {
      const row = byDay.get(`${clientId} ${day}`)
      const counts = Object.fromEntries(uses.map((use) => [use, row?.[use] ?? 0])) as Record<Use, number>
      return { day, ...counts }
    }),
  )
}

/**
 * The ranges of usage charts. The 24-hour range is shown by hour. It includes only sign-ins and rejected
 * requests, whose times are recorded, because all other usage is counted by day.
 */
export const usageRanges = {
  '24h': { label: '24 hours', slots: 24, slotMs: 3_600_000 },
  '7d': { label: '7 days', slots: 7, slotMs: 86_400_000 },
  '30d': { label: '30 days', slots: 30, slotMs: 86_400_000 },
} as const

export type UsageRange = keyof typeof usageRanges

/** A count that a usage chart shows per day or per hour. */
export type UsageMeasure = Use | 'signIns' | 'refused'

/**
 * The usage of one or more apps in one slot, which is an hour or a day. `at` is the slot's start in UTC, such
 * as 2026-11-21 or 2026-11-21T14.
 */
export type UsageSlot = { at: string; counts: Partial<Record<UsageMeasure, number>> }

type Counted = { at: string } & Partial<Record<UsageMeasure, number>>

const findHours = statement<Counted, [clientIds: string[], firstId: string]>(
  'usage-by-hour',
  `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24') AS at,
          (count(*) FILTER (WHERE kind = 'SIGNED_IN'))::int AS "signIns",
          (count(*) FILTER (WHERE kind = 'REFUSED'))::int AS refused
     FROM app_events WHERE client_id = ANY ($1::text[]) AND id >= $2::uuid GROUP BY 1`,
)

const findDays = statement<Counted, [clientIds: string[], from: string]>(
  'usage-by-day',
  `SELECT to_char(day, 'YYYY-MM-DD') AS at, sum(authorizations)::int AS authorizations, sum(tokens)::int AS tokens,
          sum(requests)::int AS requests, sum(errors)::int AS errors
     FROM app_usage WHERE client_id = ANY ($1::text[]) AND day >= $2::date GROUP BY 1`,
)

/**
 * Returns the usage of an app in each slot of a range, oldest first. Slots without usage are included and
 * have no counts.
 * @param now the current time in milliseconds, for tests
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function readAppUsage(
  actor: Actor,
  clientId: string,
  range: UsageRange,
  now = Date.now(),
): Promise<UsageSlot[]> {
  const { id } = await requireApp(actor, clientId)
  return readUsageOver([id], range, now)
}

/**
 * Returns the combined usage of a workspace's apps in the same form as `readAppUsage`.
 * @throws the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function readWorkspaceUsage(
  actor: Actor,
  workspaceId: string,
  range: UsageRange,
  now = Date.now(),
): Promise<UsageSlot[]> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const apps = await prisma().oAuthClient.findMany({
    where: { workspaceId: workspace.id, source: 'SETTINGS' },
    select: { id: true },
  })
  return readUsageOver(
    apps.map(({ id }) => id),
    range,
    now,
  )
}

async function readUsageOver(clientIds: string[], range: UsageRange, now: number): Promise<UsageSlot[]> {
  const { slots, slotMs } = usageRanges[range]
  const hourly = range === '24h'
  // Write the events or the usage that this process gathered in the last few seconds, so that the result
  // includes them.
  await (hourly ? gatheredActivity : appUsageTally).now()
  const begin = now - (now % slotMs) - (slots - 1) * slotMs
  const names = Array.from({ length: slots }, (_, at) =>
    new Date(begin + at * slotMs).toISOString().slice(0, hourly ? 13 : 10),
  )
  const rows =
    clientIds.length === 0
      ? []
      : hourly
        ? await findHours(clientIds, firstIdAt(new Date(begin)))
        : await findDays(clientIds, names[0] as string)
  const found = new Map(rows.map(({ at, ...counts }) => [at, counts]))
  return names.map((at) => ({ at, counts: found.get(at) ?? {} }))
}
