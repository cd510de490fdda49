import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'

/**
 * Answers every open request for an app in a workspace.
 * @returns the ids of those who asked
 */
export async function closeRequests(
  tx: Db,
  workspaceId: string,
  clientId: string,
  state: 'APPROVED' | 'DECLINED',
): Promise<string[]> {
  const closed = await tx.workspaceAppRequest.updateManyAndReturn({
    where: { workspaceId, clientId, state: 'OPEN' },
    data: { state, decidedAt: new Date(databaseNow()) },
    select: { userId: true },
  })
  return closed.map(({ userId }) => userId)
}
