import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { firstIdAt } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { withPatience } from '@/lib/base/db/with-patience'
import { installationId } from './place'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 10 * 60_000

const dayMs = 86_400_000

/**
 * Ends the streams of workspaces that went a week ago, which had time to tell of it, and drops what waits for streams that
 * are gone or has waited for 30 days.
 * @param now in milliseconds, for tests
 * @returns how many events wait no longer
 */
export async function forgetWaiting(now = Date.now()): Promise<number> {
  // Read first: Citus deletes nothing by what it has to ask of tables that lie in different ways (decision 156).
  const over = await prisma().$queryRaw<{ placeId: string }[]>`
    SELECT place_id AS "placeId" FROM audit_streams s
     WHERE place_id <> ${installationId}::uuid AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = s.place_id)
       AND NOT EXISTS (SELECT 1 FROM deleted_workspaces
                        WHERE id = s.place_id AND deleted_at > ${new Date(now - 7 * dayMs)})`
  const gone = over.map(({ placeId }) => placeId)
  if (gone.length > 0) await prisma().auditStream.deleteMany({ where: { placeId: { in: gone } } })
  const old = {
    table: 'audit_waiting',
    key: 'position',
    where: `event_id < '${firstIdAt(new Date(now - 30 * dayMs))}'
      OR NOT EXISTS (SELECT 1 FROM audit_streams s WHERE s.place_id = audit_waiting.place_id)`,
  }
  return withPatience((db) => deleteInBatches(old, performance.now() + longestMs, db))
}
