import { prisma } from '@/lib/base/db/prisma'
import { gatheredUse, type Use, uses } from './count-use'

/** What an app did on one day (UTC, as 2026-11-21). */
export type UsageDay = { day: string } & Record<Use, number>

/** The days that are shown. */
const shownDays = 30

const dayMs = 86_400_000

/**
 * What several apps did on each of the last 30 days, today included, oldest first; a day without anything is there with
 * zeros. One statement. The caller has required `workspace:manage-apps` for each.
 * @param now in milliseconds, for tests
 */
export async function readUsageOf(clientIds: readonly string[], now = Date.now()): Promise<UsageDay[][]> {
  // What this process has seen in the last seconds belongs in the answer.
  await gatheredUse.now()
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
