import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval, requireApproval } from '@/lib/policy/approvals'
import { authorizePersonal } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'

/**
 * Removes one of the person's SSH keys.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, NOT_FOUND
 */
export async function removeSshKey(actor: Actor, id: string): Promise<void> {
  authorizePersonal(actor, 'ssh_keys', 'ADMIN')
  const account = { type: 'user', id: actor.userId }
  await prisma().$transaction(async (tx) => {
    const key = isId(id) ? await tx.sshPublicKey.findFirst({ where: { id, userId: actor.userId } }) : null
    if (!key) {
      throw new AppError('NOT_FOUND', 'There is no such key.', { resource: { type: 'ssh_key', id } })
    }
    bindApproval(actor, { name: key.name })
    await requireApproval(actor, 'account:manage-ssh-keys', account, {
      workspaceId: null,
      requiresApprovalFor: [],
    })
    const { count } = await tx.sshPublicKey.deleteMany({ where: { id: key.id } })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action: 'ssh_key.removed',
      resource: { type: 'ssh_key', id: key.id },
      details: { name: key.name, fingerprint: key.fingerprint },
    })
  })
}
