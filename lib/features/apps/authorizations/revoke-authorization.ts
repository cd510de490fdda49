import { type Db, inTransaction, isId } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import { queueTokensRevoked } from '@/lib/features/resources/events'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { selectShared, wholeSelection } from './api-grants'

/**
 * Deletes authorizations with all their codes and tokens, and queues the revocation events for APIs. Call
 * this function before you delete an app or a workspace, because the foreign key deletes the authorizations
 * but not their tokens (ADR 0005). The deletion of tokens repeats until it finds no more tokens, because a
 * concurrent request that had locked a token might have written new tokens that the previous statement did
 * not see. The deletion runs at least twice: the first statement might find nothing if the locked token has
 * moved to a table of used tokens (used-tables.ts) in the meantime. A concurrent consent might create a token
 * whose authorization no longer exists. Such a token is invalid, and the cleanup deletes it after it has
 * expired.
 * @param tx the transaction that ends the authorizations
 * @param which a condition on the authorizations
 * @returns how many authorizations were deleted
 */
export async function endAuthorizations(tx: Db, which: Prisma.AuthorizationWhereInput): Promise<number> {
  const found = await tx.authorization.findMany({ where: which, select: { id: true } })
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  await queueTokensRevoked(tx, ids)
  const { count } = await tx.authorization.deleteMany({ where: { id: { in: ids } } })
  for (let round = 1; ; round++) {
    const left =
      await tx.$executeRaw`DELETE FROM oauth_artifacts WHERE authorization_id = ANY(${ids}::uuid[])`
    if (left === 0 && round > 1) return count
  }
}

/**
 * Revokes a user's authorization of an app. The app's codes and tokens for the user are deleted immediately.
 * @throws AppError FORBIDDEN for tokens without access to the account, NOT_FOUND for an authorization that
 * does not exist or belongs to another user
 */
export async function revokeAuthorization(actor: Actor, id: string): Promise<void> {
  authorizeAccount(actor)
  const removed = isId(id) && (await remove(id, actor, 'authorization.revoked', actor.userId))
  if (!removed)
    throw new AppError(
      'NOT_FOUND',
      'You haven’t authorized this app, or you have already revoked its access.',
    )
}

/**
 * Revokes an authorization after a rotated refresh token was used again, because someone else might have a
 * copy of the token. Does nothing if the authorization no longer exists. No user requested the revocation, so
 * the audit log shows the system as the actor. The action of the audit event states the reason.
 */
export async function revokeForReuse(id: string): Promise<void> {
  await remove(id, { kind: 'system' }, 'authorization.revoked_after_token_reuse')
}

async function remove(id: string, actor: Actor | SystemActor, action: string, userId?: string) {
  return inTransaction(async (tx) => {
    const found = await tx.authorization.findFirst({
      where: { id, userId },
      select: { userId: true, clientId: true, ...selectShared },
    })
    if (!found) return false
    if ((await endAuthorizations(tx, { id })) === 0) return false
    const by = actor.kind === 'system' ? { ...actor, userId: found.userId, clientId: found.clientId } : actor
    await recordEvent(tx, by, {
      action,
      resource: { type: 'authorization', id },
      details: { clientId: found.clientId, workspaceIds: wholeSelection(found).workspaceIds },
    })
    return true
  })
}
