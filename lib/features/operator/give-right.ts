import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'

/**
 * Gives a person the operator's right, or takes it away. Where it is given, sessions of theirs end that began by a provider's word: a
 * company's speaks for no operator, and one that outlived the word it began by does not say so.
 * @returns false where it was so already
 * See decision 229.
 */
export async function giveRight(tx: Db, userId: string, instanceAdmin: boolean): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, instanceAdmin: !instanceAdmin },
    data: { instanceAdmin },
  })
  if (count === 0) return false
  if (instanceAdmin) {
    await tx.session.updateMany({
      where: { userId, methods: { has: 'ext' }, revokedAt: null },
      data: { revokedAt: new Date(databaseNow()) },
    })
  }
  return true
}
