import type { Db } from '@/lib/base/db/prisma'

/**
 * Has whoever takes ways in away from a person, or makes what goes with the last of them, wait for each other: of two at once the
 * second sees what the first left. It comes first in the transaction.
 */
export const lockWaysIn = async (tx: Db, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`
}
