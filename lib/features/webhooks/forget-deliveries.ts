import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { withPatience } from '@/lib/base/db/with-patience'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 10 * 60_000

const old = {
  table: 'webhook_deliveries',
  key: 'id',
  where: `created_at < now() - interval '30 days'`,
}

/** Drops the log of deliveries older than 30 days. @returns how many */
export const forgetDeliveries = (): Promise<number> =>
  withPatience((db) => deleteInBatches(old, performance.now() + longestMs, db))
