import type { Db } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'

/**
 * Deletes authorizations with every code and token made under them. Whoever deletes an app or a workspace calls it first:
 * a foreign key takes their authorizations along, but no token (docs/decisions/052).
 *
 * It repeats until it finds no token more, because a request that held one of them meanwhile has written successors that
 * the statement before did not see; and at least once, because the one that was held has gone to the used ones
 * (used-tables.ts) and was not counted. What a consent of the same moment leaves behind has no authorization, and so does not
 * exist for anybody; it goes when it expires.
 * @param tx the transaction that ends them
 * @param which the authorizations
 * @returns how many there were
 */
export async function endAuthorizations(tx: Db, which: Prisma.AuthorizationWhereInput): Promise<number> {
  const found = await tx.authorization.findMany({ where: which, select: { id: true } })
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  const { count } = await tx.authorization.deleteMany({ where: { id: { in: ids } } })
  for (let round = 1; ; round++) {
    const left =
      await tx.$executeRaw`DELETE FROM oauth_artifacts WHERE authorization_id = ANY(${ids}::uuid[])`
    if (left === 0 && round > 1) return count
  }
}
