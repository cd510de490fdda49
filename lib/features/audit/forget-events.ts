import { config } from '@/lib/base/config/env'
import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { firstIdAt } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { withPatience } from '@/lib/base/db/with-patience'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 10 * 60_000

/**
 * Removes what the audit logs have kept for longer than AUDIT_DAYS, and the names of workspaces that went before; nothing
 * where that is not set. Ids begin with their time, so the primary key leads to the oldest, however many there are.
 * See decision 123.
 * @param now in milliseconds, for tests
 * @returns how many events went
 */
export async function forgetEvents(now = Date.now()): Promise<number> {
  const { AUDIT_DAYS } = config()
  if (AUDIT_DAYS === undefined) return 0
  const since = new Date(now - AUDIT_DAYS * 86_400_000)
  const old = { table: 'audit_events', key: 'id', where: `id < '${firstIdAt(since)}'` }
  const removed = await withPatience((db) => deleteInBatches(old, performance.now() + longestMs, db))
  await prisma().deletedWorkspace.deleteMany({ where: { deletedAt: { lt: since } } })
  return removed
}
