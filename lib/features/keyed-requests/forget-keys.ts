import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { keyHours } from './claim-key'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 60_000

const over = {
  table: 'keyed_requests',
  key: 'hash',
  where: `created_at < now() - interval '${keyHours} hours'`,
}

/** Forgets the keys whose day is over. @returns how many */
export const forgetKeys = (): Promise<number> => deleteInBatches(over, performance.now() + longestMs)
