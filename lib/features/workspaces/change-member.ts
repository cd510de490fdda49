import { z } from 'zod'
import { type Db, isId, prisma, storedId } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { emailAddress } from '@/lib/base/mail/email-address'
import { recordEvents } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { withdrawInvitations } from './list-invitations'

const idInput = z.string().transform(storedId)

const roleInput = z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' })

/** The input for changing a user's role in a workspace. */
const workspaceMemberInput = z.object({ workspaceId: z.string(), userId: idInput, role: roleInput })

/** The maximum number of members that one call can change or remove. */
export const mostMembers = 100

/** The IDs of the members to change or remove in one call. */
export const membersInput = z
  .array(idInput)
  .min(1, { error: 'Select at least one member.' })
  .max(mostMembers, { error: `Select at most ${mostMembers} members.` })

/** The input for changing the roles of several users in a workspace. */
const workspaceMembersInput = z.object({ workspaceId: z.string(), userIds: membersInput, role: roleInput })

/** The input for setting a user's direct role in a project. */
export const projectMemberInput = z.object({ projectId: z.string(), userId: idInput, role: roleInput })

/** The input for giving a user a direct role in a project. The email address identifies the user. */
export const projectMemberByEmailInput = z.object({
  projectId: z.string(),
  email: emailAddress,
  role: roleInput,
})

/**
 * Returns the memberships of the given users in a workspace, sorted by user ID.
 * @throws AppError NOT_FOUND if one of the users is not a member
 */
export async function findMembersById(tx: Db, workspaceId: string, userIds: readonly string[]) {
  const members = await tx.workspaceMember.findMany({
    where: { workspaceId, userId: { in: userIds.filter(isId) } },
    orderBy: { userId: 'asc' },
  })
  const missing = userIds.find((id) => !members.some(({ userId }) => userId === id))
  if (missing !== undefined) throw unknownMember(missing, userIds.length)
  return members
}

/**
 * Returns the error for a user who is not a member.
 * @param of the number of users in the caller's input
 */
export const unknownMember = (userId: string, of = 1) =>
  new AppError(
    'NOT_FOUND',
    of > 1 ? 'One of these users is no longer a member. Reload and try again.' : 'The member was not found.',
    { resource: { type: 'user', id: userId } },
  )

/**
 * Locks the rows of a workspace's admins until the end of the transaction, so that concurrent requests that
 * remove or demote admins run one after another. Call this function before any other lock on members.
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
 * @param userIds the IDs of the users who lose the ADMIN role
 * @throws AppError CONFLICT
 */
export function requireRemainingAdmin(admins: readonly string[], userIds: readonly string[]): void {
  if (admins.some((admin) => !userIds.includes(admin))) return
  throw new AppError(
    'CONFLICT',
    userIds.length > 1
      ? 'A workspace must have an admin. Make someone else an admin first.'
      : 'This is the last admin of the workspace. Make someone else an admin first.',
  )
}

/**
 * Changes the role of a member of a workspace. Does nothing if the member already has the role. Requires
 * `workspace:manage-members`.
 * @param input `workspaceId`, `userId`, `role`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such member), CONFLICT (the last admin), and the errors of
 * `requireWorkspace`
 */
export async function changeMemberRole(actor: Actor, input: unknown): Promise<{ role: Role }> {
  const { workspaceId, userId, role } = parseInput(workspaceMemberInput, input)
  await changeMemberRoles(actor, { workspaceId, userIds: [userId], role })
  return { role }
}

/**
 * Gives several workspace members the same role. Skips members who already have it. Revokes their open
 * invitations to the workspace with a higher role. Uses one transaction, so that an error leaves all roles
 * unchanged. Requires `workspace:manage-members`.
 * @param input `workspaceId`, `userIds`, `role`
 * @returns the number of changed roles
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such member), CONFLICT (no admin would remain), and the
 * errors of `requireWorkspace`
 */
export async function changeMemberRoles(actor: Actor, input: unknown): Promise<{ changed: number }> {
  const { workspaceId, userIds: given, role } = parseInput(workspaceMembersInput, input)
  const userIds = [...new Set(given)]
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  return prisma().$transaction(async (tx) => {
    const admins = await lockAdmins(tx, workspace.id)
    await lockWorkspaceRole(tx, actor, 'workspace:manage-members', workspace.id)
    const members = await findMembersById(tx, workspace.id, userIds)
    const changing = members.filter((member) => member.role !== role)
    const demoted = changing.filter((member) => member.role === 'ADMIN').map(({ userId }) => userId)
    if (demoted.length > 0) requireRemainingAdmin(admins, demoted)
    if (changing.length === 0) return { changed: 0 }
    await tx.workspaceMember.updateMany({
      where: { workspaceId: workspace.id, userId: { in: changing.map(({ userId }) => userId) } },
      data: { role },
    })
    const changed = changing.map(({ userId }) => userId)
    await withdrawInvitations(tx, actor, { workspaceId: workspace.id, projectId: null }, changed, role)
    await recordEvents(
      tx,
      actor,
      changing.map(({ userId, role: from }) => ({
        action: 'member.role_changed',
        resource: { type: 'user', id: userId },
        workspaceId: workspace.id,
        details: { from, to: role },
      })),
    )
    return { changed: changing.length }
  })
}
