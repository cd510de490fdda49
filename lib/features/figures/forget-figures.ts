import { deleteInBatches } from '@/lib/base/db/delete-in-batches'

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 60_000

/** Drops figures that no chart shows any more: those of more than 31 days ago. @returns how many */
export const forgetFigures = (): Promise<number> =>
  deleteInBatches(
    { table: 'figures', key: 'bucket', where: `bucket < now() - interval '31 days'` },
    performance.now() + longestMs,
  )
