import type { Db } from '@/lib/base/db/prisma'

/**
 * Has the consents and edits of one person wait for each other: what one of them keeps must not be what another is just
 * replacing.
 * @param tx the transaction that changes an authorization; the next one goes on when it ends
 */
export async function takeTurn(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
}
