import { z } from 'zod'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent, recordEvents } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockUsers, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { findMembersById, lockAdmins, membersInput, requireRemainingAdmin } from './change-member'

/**
 * Users whom an admin removed from a workspace, or from one of its projects if they had no role in the
 * workspace. They cannot rejoin by signing in through the workspace's SSO connection until they are invited
 * to the workspace again or an admin allows it.
 */

/** The maximum number of users that `listRemovedMembers` returns. */
const most = 100

/** A user whom an admin removed. */
export type RemovedMember = { userId: string; name: string; email: string; removedAt: Date }

/**
 * Records which users were removed. Call this function in the transaction of the removal, after the roles are
 * deleted. Ignores users who still have a role in the workspace.
 */
export async function recordRemoved(tx: Db, workspaceId: string, userIds: readonly string[]): Promise<void> {
  const still = await tx.workspaceMember.findMany({
    where: { workspaceId, userId: { in: [...userIds] } },
    select: { userId: true },
  })
  const gone = userIds.filter((id) => !still.some(({ userId }) => userId === id))
  if (gone.length === 0) return
  await tx.removedMember.createMany({
    data: gone.map((userId) => ({ workspaceId, userId })),
    skipDuplicates: true,
  })
}

/** Returns whether a user must not join a workspace automatically, because an admin removed the user. */
export const wasRemoved = async (tx: Db, workspaceId: string, userId: string): Promise<boolean> =>
  (await tx.removedMember.count({ where: { workspaceId, userId } })) > 0

/**
 * Returns up to 100 users whom admins removed from a workspace, latest first.
 * @throws the errors of `requireWorkspace` with `workspace:manage-members`
 */
export async function listRemovedMembers(actor: Actor, workspaceId: string): Promise<RemovedMember[]> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  const rows = await prisma().removedMember.findMany({
    where: { workspaceId: id },
    include: { user: { select: { name: true, email: true } } },
    orderBy: [{ createdAt: 'desc' }, { userId: 'asc' }],
    take: most,
  })
  return rows.map(({ userId, user, createdAt }) => ({ userId, ...user, removedAt: createdAt }))
}

/**
 * Lets a removed user join a workspace again by signing in through its SSO connection.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` with `workspace:manage-members`
 */
export async function allowRemovedMember(actor: Actor, workspaceId: string, userId: string): Promise<void> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-members', id)
    const { count } = isId(userId)
      ? await tx.removedMember.deleteMany({ where: { workspaceId: id, userId } })
      : { count: 0 }
    if (count === 0)
      throw new AppError('NOT_FOUND', 'This user isn’t on the list of removed users. Reload and try again.')
    await recordEvent(tx, actor, {
      action: 'member.rejoin_allowed',
      resource: { type: 'user', id: userId },
      workspaceId: id,
    })
  })
}

/**
 * Removes a user's role in a workspace, and records the removal (`recordRemoved`) unless users remove
 * themselves. Requires `workspace:manage-members`. Roles in individual projects remain.
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
    if (others.length > 0) await recordRemoved(tx, workspaceId, others)
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
