import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { findMember } from './find-member'
import { workspaceMemberInput } from './input'
import { keepAnAdmin, lockAdmins } from './keep-an-admin'

/**
 * Gives a member of a workspace another role. Takes `workspace:manage-members`.
 * @param input `workspaceId`, `userId`, `role`
 * @throws AppError NOT_FOUND (no such member), CONFLICT (the last admin), and as `authorizeWorkspace`
 */
export async function changeMemberRole(actor: Actor, input: unknown): Promise<{ role: Role }> {
  const { workspaceId, userId, role } = parseInput(workspaceMemberInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  return prisma().$transaction(async (tx) => {
    const admins = await lockAdmins(tx, workspace.id)
    await holdWorkspace(tx, actor, 'workspace:manage-members', workspace.id)
    const member = await findMember(tx, workspace.id, userId)
    if (member.role === role) return { role }
    if (member.role === 'ADMIN') keepAnAdmin(admins, member.userId)
    await tx.workspaceMember.update({
      where: { workspaceId_userId: { workspaceId: workspace.id, userId: member.userId } },
      data: { role },
    })
    await recordEvent(tx, actor, {
      action: 'member.role_changed',
      resource: { type: 'user', id: member.userId },
      workspaceId: workspace.id,
      details: { from: member.role, to: role },
    })
    return { role }
  })
}
