import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { holdWorkspace, lockPerson } from '@/lib/policy/hold'
import { isId, requireWorkspace } from '@/lib/policy/require'
import { findMember } from './find-member'
import { keepAnAdmin, lockAdmins } from './keep-an-admin'
import { noteRemoved } from './removed-members'

/**
 * Takes a person's role in a workspace away. Takes `workspace:manage-members`. Roles in single projects stay.
 * @throws AppError NOT_FOUND (no such member), CONFLICT (the last admin), and as `authorizeWorkspace`
 */
export async function removeMember(actor: Actor, workspaceId: string, userId: string): Promise<void> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  await remove(actor, workspace.id, userId, 'member.removed')
}

/**
 * Leaves a workspace: only the person may, no app for them.
 * @throws AppError FORBIDDEN, NOT_FOUND, CONFLICT (the last admin)
 */
export async function leaveWorkspace(actor: Actor, workspaceId: string): Promise<void> {
  authorizeAccount(actor)
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  await remove(actor, workspace.id, actor.userId, 'member.left')
}

async function remove(
  actor: Actor,
  workspaceId: string,
  userId: string,
  action: 'member.removed' | 'member.left',
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    // A sign-in that makes the user a member again waits for this, and then finds the removal.
    if (isId(userId)) await lockPerson(tx, userId)
    const admins = await lockAdmins(tx, workspaceId)
    if (action === 'member.removed') await holdWorkspace(tx, actor, 'workspace:manage-members', workspaceId)
    const member = await findMember(tx, workspaceId, userId)
    if (member.role === 'ADMIN') keepAnAdmin(admins, member.userId)
    await tx.workspaceMember.deleteMany({ where: { workspaceId, userId: member.userId } })
    if (member.userId !== actor.userId) await noteRemoved(tx, member)
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'user', id: member.userId },
      workspaceId,
      details: { role: member.role },
    })
  })
}
