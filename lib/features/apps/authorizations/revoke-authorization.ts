import { inTransaction } from '@/lib/base/db/in-transaction'
import { AppError } from '@/lib/base/errors/app-error'
import type { SystemActor } from '@/lib/features/audit/audit-record'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { endAuthorizations } from './end-authorizations'

/**
 * Takes back what a person allowed an app. Every code and token made under it is gone with it, at once.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person, NOT_FOUND for an authorization of nobody or
 *   somebody else
 */
export async function revokeAuthorization(actor: Actor, id: string): Promise<void> {
  authorizeAccount(actor)
  const removed = isId(id) && (await remove(id, actor, 'authorization.revoked', actor.userId))
  if (!removed) throw new AppError('NOT_FOUND', 'You have not authorized such an app.')
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
