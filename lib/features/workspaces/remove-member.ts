import { z } from 'zod'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvents } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockUsers, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { findMembersById, lockAdmins, membersInput, requireRemainingAdmin } from './change-member'
import { recordLeft, recordRemoved } from './former-members'
import { withdrawInvitations } from './list-invitations'

/**
 * Removes a user's role in a workspace, and records the departure, which limits how the user can rejoin
 * through SSO (`former-members.ts`). Unless users remove themselves, revokes open invitations of the user to
 * the workspace. Requires `workspace:manage-members`. Roles in individual projects remain.
 * @throws AppError NOT_FOUND (no such member), CONFLICT (the last admin), and the errors of
 * `requireWorkspace`
 */
export async function removeMember(actor: Actor, workspaceId: string, userId: string): Promise<void> {
  await removeMembers(actor, { workspaceId, userIds: [userId] })
}

const removalInput = z.object({ workspaceId: z.string(), userIds: membersInput })

/**
 * Removes several members from a workspace, like `removeMember`. Uses one transaction, so that an error
 * leaves all members in the workspace.
 * @param input `workspaceId`, `userIds`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such member), CONFLICT (no admin would remain), and the
 * errors of `requireWorkspace`
 */
export async function removeMembers(actor: Actor, input: unknown): Promise<void> {
  const { workspaceId, userIds } = parseInput(removalInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  await remove(actor, workspace.id, [...new Set(userIds)], 'member.removed')
}

/**
 * Removes the user's own role in a workspace. Requires a browser session, or an account token with the ADMIN
 * role.
 * @throws AppError FORBIDDEN, NOT_FOUND, CONFLICT (the last admin), and the errors of `requireWorkspace` with
 * `workspace:read`
 */
export async function leaveWorkspace(actor: Actor, workspaceId: string): Promise<void> {
  authorizeAccount(actor)
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  await remove(actor, workspace.id, [actor.userId], 'member.left')
}

async function remove(
  actor: Actor,
  workspaceId: string,
  userIds: readonly string[],
  action: 'member.removed' | 'member.left',
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    // Lock the users. A concurrent SSO sign-in, which could make a user a member again, waits for this lock
    // and then finds the recorded removal.
    await lockUsers(tx, userIds.filter(isId))
    const admins = await lockAdmins(tx, workspaceId)
    if (action === 'member.removed')
      await lockWorkspaceRole(tx, actor, 'workspace:manage-members', workspaceId)
    const members = await findMembersById(tx, workspaceId, userIds)
    const losing = members.filter(({ role }) => role === 'ADMIN').map(({ userId }) => userId)
    if (losing.length > 0) requireRemainingAdmin(admins, losing)
    await tx.workspaceMember.deleteMany({ where: { workspaceId, userId: { in: [...userIds] } } })
    const others = userIds.filter((id) => id !== actor.userId)
    await recordRemoved(tx, workspaceId, others)
    await withdrawInvitations(tx, actor, { workspaceId, projectId: null }, others)
    const own = members.filter(({ userId }) => userId === actor.userId)
    if (actor.userId !== null) await recordLeft(tx, actor.userId, own)
    await recordEvents(
      tx,
      actor,
      members.map(({ userId, role }) => ({
        action,
        resource: { type: 'user', id: userId },
        workspaceId,
        details: { role },
      })),
    )
  })
}

/**
 * A workspace that has no active admin except the user, and the active members who could become the new
 * admin.
 */
export type SoleAdminOf = {
  id: string
  name: string
  slug: string
  heirs: { id: string; name: string; email: string }[]
}

/**
 * The maximum number of members in the list of possible new admins. To choose a member who is not in the
 * list, the user must make that member an admin before deleting the account.
 */
const mostHeirs = 200

/**
 * Returns the workspaces in which a user is the only admin, sorted by name. Other admins who are suspended do
 * not count.
 * @param db the transaction that deletes the account, or the database client to show the result in advance
 */
export async function soleAdminOf(db: Db, userId: string): Promise<SoleAdminOf[]> {
  const workspaces = await db.workspace.findMany({
    where: {
      AND: [
        { members: { some: { userId, role: 'ADMIN' } } },
        { members: { none: { userId: { not: userId }, role: 'ADMIN', user: { suspendedAt: null } } } },
      ],
    },
    select: {
      id: true,
      name: true,
      slug: true,
      members: {
        where: { userId: { not: userId }, user: { suspendedAt: null } },
        select: { user: { select: { id: true, name: true, email: true } } },
        orderBy: { createdAt: 'asc' },
        take: mostHeirs,
      },
    },
    orderBy: { name: 'asc' },
  })
  return workspaces.map(({ members, ...workspace }) => ({
    ...workspace,
    heirs: members.map(({ user }) => user),
  }))
}

/**
 * Locks the memberships of all admins of the users' workspaces until the transaction ends. If two admins of a
 * workspace delete their accounts at the same time, the second deletion waits and then sees that no other
 * admin remains.
 */
export const lockAdminsOfOthers = (tx: Db, userIds: readonly string[]): Promise<unknown> =>
  tx.$queryRaw`
    SELECT m.user_id FROM workspace_members m
     WHERE m.role = 'ADMIN'
       AND m.workspace_id IN (SELECT workspace_id FROM workspace_members WHERE user_id = ANY(${userIds}::uuid[]))
     ORDER BY m.workspace_id, m.user_id FOR UPDATE`
