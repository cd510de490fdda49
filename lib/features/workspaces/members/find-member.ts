import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { isId } from '@/lib/policy/require'

/**
 * Reads a person's membership of a workspace.
 * @throws AppError NOT_FOUND
 */
export async function findMember(tx: Db, workspaceId: string, userId: string) {
  const member = isId(userId)
    ? await tx.workspaceMember.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } })
    : null
  if (!member) throw unknownMember(userId)
  return member
}

/** Nobody of that id has a role here. */
export const unknownMember = (userId: string) =>
  new AppError('NOT_FOUND', 'There is no such member here.', { resource: { type: 'user', id: userId } })
