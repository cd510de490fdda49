import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'

/**
 * Refuses to leave a workspace without an admin: nobody could ever manage it again. Locks the admins' rows, so that two
 * who step down at the same moment cannot both see the other.
 * @param userId the admin who is about to lose the role
 * @throws AppError CONFLICT
 */
export async function keepAnAdmin(tx: Db, workspaceId: string, userId: string): Promise<void> {
  const admins = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM workspace_members
     WHERE workspace_id = ${workspaceId}::uuid AND role = 'ADMIN' ORDER BY user_id FOR UPDATE`
  if (admins.some((admin) => admin.userId !== userId)) return
  throw new AppError('CONFLICT', 'This is the last admin of the workspace. Make someone else an admin first.')
}
