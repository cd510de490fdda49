import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { isId, requireWorkspace } from '@/lib/policy/require'

/**
 * Users whom an admin removed from a workspace, or from a project of it while they had no role in the workspace. They do not
 * join again by signing in through the workspace's SSO connection, until they are invited to it or an admin allows it.
 */

/** At most this many are listed, the latest first. */
const most = 100

/** A user whom an admin removed. */
export type RemovedMember = { userId: string; name: string; email: string; removedAt: Date }

/** Notes a removal, in its transaction. A user who still has a role in the workspace is not noted. */
export async function noteRemoved(
  tx: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  if ((await tx.workspaceMember.count({ where: { workspaceId, userId } })) > 0) return
  await tx.removedMember.upsert({
    where: { workspaceId_userId: { workspaceId, userId } },
    create: { workspaceId, userId },
    update: {},
  })
}

/** Returns whether a user must not join a workspace automatically. */
export const wasRemoved = async (tx: Db, workspaceId: string, userId: string): Promise<boolean> =>
  (await tx.removedMember.count({ where: { workspaceId, userId } })) > 0

/** Lists the users whom admins removed from a workspace. @throws AppError as `requireWorkspace` with `workspace:manage-members` */
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
 * @throws AppError NOT_FOUND, and as `requireWorkspace` with `workspace:manage-members`
 */
export async function allowRemovedMember(actor: Actor, workspaceId: string, userId: string): Promise<void> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-members', workspaceId)
  await prisma().$transaction(async (tx) => {
    await holdWorkspace(tx, actor, 'workspace:manage-members', id)
    const { count } = isId(userId)
      ? await tx.removedMember.deleteMany({ where: { workspaceId: id, userId } })
      : { count: 0 }
    if (count === 0) throw new AppError('NOT_FOUND', 'No removed user with this ID was found.')
    await recordEvent(tx, actor, {
      action: 'member.rejoin_allowed',
      resource: { type: 'user', id: userId },
      workspaceId: id,
    })
  })
}
