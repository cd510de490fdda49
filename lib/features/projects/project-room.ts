import type { Db } from '@/lib/base/db/prisma'
import { requireRoom } from '@/lib/base/db/require-room'

/** Projects of a workspace. */
export const maxProjects = 1_000

/** Refuses one more project where there are as many as there may be. @throws AppError CONFLICT */
export function requireProjectRoom(tx: Db, workspaceId: string): Promise<void> {
  const room = {
    of: { table: 'workspaces' as const, id: workspaceId },
    most: maxProjects,
    message: `The workspace has ${maxProjects} projects. Delete one first, or use another workspace.`,
  }
  return requireRoom(tx, room, () => tx.project.count({ where: { workspaceId } }))
}
