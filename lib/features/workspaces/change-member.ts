import { z } from 'zod'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { emailAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'

const roleInput = z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' })

/** A new role of a user in a workspace. */
const workspaceMemberInput = z.object({ workspaceId: z.string(), userId: z.string(), role: roleInput })

/** A new role of a user in a project itself. */
export const projectMemberInput = z.object({ projectId: z.string(), userId: z.string(), role: roleInput })

/** The email address of a user, and a new role in a project itself. */
export const projectMemberByEmailInput = z.object({
  projectId: z.string(),
  email: emailAddress,
  role: roleInput,
})

/**
 * Returns a user's membership of a workspace.
 * @throws AppError NOT_FOUND
 */
export async function findMember(tx: Db, workspaceId: string, userId: string) {
  const member = isId(userId)
    ? await tx.workspaceMember.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } })
    : null
  if (!member) throw unknownMember(userId)
  return member
}

/** Returns the error for a user without a role here. */
export const unknownMember = (userId: string) =>
  new AppError('NOT_FOUND', 'There is no such member.', { resource: { type: 'user', id: userId } })

/**
 * Locks the rows of a workspace's admins until the end of the transaction, so that admins who step down or remove each other at the
 * same time do so in sequence. Call it before any other lock on members.
 * @returns the IDs of the admins
 */
export async function lockAdmins(tx: Db, workspaceId: string): Promise<string[]> {
  const admins = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM workspace_members
     WHERE workspace_id = ${workspaceId}::uuid AND role = 'ADMIN' ORDER BY user_id FOR UPDATE`
  return admins.map(({ userId }) => userId)
}

/**
 * Rejects a change that would leave a workspace without an admin.
 * @param admins the result of `lockAdmins`
 * @param userId the admin who loses the role
 * @throws AppError CONFLICT
 */
export function keepAnAdmin(admins: readonly string[], userId: string): void {
  if (admins.some((admin) => admin !== userId)) return
  throw new AppError('CONFLICT', 'This is the last admin of the workspace. Make someone else an admin first.')
}

/**
 * Changes the role of a member of a workspace. Requires `workspace:manage-members`.
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
