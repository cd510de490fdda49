import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'

/**
 * Locks the rows of a workspace's admins for the rest of a transaction, so that two who step down, or remove each other, at the same
 * moment do it one after the other. Before every other lock on members.
 * @returns the ids of the admins
 */
export async function lockAdmins(tx: Db, workspaceId: string): Promise<string[]> {
  const admins = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM workspace_members
     WHERE workspace_id = ${workspaceId}::uuid AND role = 'ADMIN' ORDER BY user_id FOR UPDATE`
  return admins.map(({ userId }) => userId)
}

/**
 * Refuses to leave a workspace without an admin: nobody could ever manage it again.
 * @param admins as `lockAdmins` answered
 * @param userId the admin who is about to lose the role
 * @throws AppError CONFLICT
 */
export function keepAnAdmin(admins: readonly string[], userId: string): void {
  if (admins.some((admin) => admin !== userId)) return
  throw new AppError('CONFLICT', 'This is the last admin of the workspace. Make someone else an admin first.')
}
