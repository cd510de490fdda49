import { type Db, inTransaction, isId } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'

/**
 * Deletes authorizations with every code and token made under them. Whoever deletes an app or a workspace calls it first:
 * a foreign key takes their authorizations along, but no token (ADR 0006).
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

/**
 * Takes back what a person allowed an app. Every code and token made under it is gone with it, at once.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person, NOT_FOUND for an authorization of nobody or
 *   somebody else
 */
export async function revokeAuthorization(actor: Actor, id: string): Promise<void> {
  authorizeAccount(actor)
  const removed = isId(id) && (await remove(id, actor, 'authorization.revoked', actor.userId))
  if (!removed) throw new AppError('NOT_FOUND', 'You have not authorized this app.')
}

/**
 * Ends an authorization because one of its refresh tokens was used again after it had been replaced: somebody else has
 * a copy. Nobody asked for it, so the audit log says that the system did it, and why.
 */
export async function revokeForReuse(id: string): Promise<void> {
  await remove(id, { kind: 'system' }, 'authorization.revoked_after_token_reuse')
}

async function remove(id: string, actor: Actor | SystemActor, action: string, userId?: string) {
  return inTransaction(async (tx) => {
    const found = await tx.authorization.findFirst({
      where: { id, userId },
      select: { userId: true, clientId: true, workspaceIds: true },
    })
    if (!found) return false
    if ((await endAuthorizations(tx, { id })) === 0) return false
    const by = actor.kind === 'system' ? { ...actor, userId: found.userId, clientId: found.clientId } : actor
    await recordEvent(tx, by, {
      action,
      resource: { type: 'authorization', id },
      details: { clientId: found.clientId, workspaceIds: found.workspaceIds },
    })
    return true
  })
}
