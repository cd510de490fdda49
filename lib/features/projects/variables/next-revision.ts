import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'

/**
 * Counts a change of an environment's variables. Until the transaction ends nobody else changes them, so that a count of
 * them holds, and the revision says what was written before.
 * See decision 168.
 * @param expected the revision that the caller knows; any unless given
 * @returns the revision from now on
 * @throws AppError NOT_FOUND (the environment is gone), CONFLICT on `expectedRevision` when there was another change
 */
export async function nextRevision(tx: Db, environmentId: string, expected?: number | null): Promise<number> {
  const [row] = await tx.$queryRaw<{ revision: number }[]>`
    UPDATE environments SET revision = revision + 1 WHERE id = ${environmentId}::uuid RETURNING revision`
  if (!row) throw new AppError('NOT_FOUND')
  if (expected != null && row.revision !== expected + 1) {
    throw new AppError(
      'CONFLICT',
      `The variables were changed meanwhile: the revision is ${row.revision - 1}, not ${expected}. Read them again.`,
      { field: 'expectedRevision' },
    )
  }
  return row.revision
}
