import { prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { isId } from '@/lib/policy/require'
import { requireInvitable } from './require-invitable'

/**
 * Takes an invitation back; its link leads nowhere from now on. Takes `workspace:manage-members` or `project:manage-members`.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` or `authorizeProject`
 */
export async function revokeInvitation(actor: Actor, id: string): Promise<void> {
  const unknown = new AppError('NOT_FOUND', 'There is no such invitation, or you cannot see it.', {
    resource: { type: 'invitation', id },
  })
  const invitation = isId(id) ? await prisma().invitation.findUnique({ where: { id } }) : null
  if (!invitation) throw unknown
  bindApproval(actor, { email: invitation.email, role: invitation.role })
  // Whoever cannot see the place must not learn its id from here.
  await requireInvitable(actor, invitation).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
  })
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.invitation.deleteMany({ where: { id: invitation.id } })
    if (count === 0) throw unknown
    await recordEvent(tx, actor, {
      action: 'invitation.revoked',
      resource: { type: 'invitation', id: invitation.id },
      workspaceId: invitation.workspaceId,
      details: { email: invitation.email },
    })
  })
}
