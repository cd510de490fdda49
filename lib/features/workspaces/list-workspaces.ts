import { readByKey } from '@/lib/base/db/shared-reads'
import type { Actor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { workspaceReach } from '@/lib/policy/visible'

const findMine = readByKey<WorkspaceRow, [userId: string, only: readonly string[] | null, outside: boolean]>(
  'list-workspaces',
  `SELECT ${workspaceColumns}
     FROM workspace_members wm JOIN workspaces w ON w.id = wm.workspace_id
    WHERE wm.user_id = $1 AND ($2::uuid[] IS NULL OR w.id = ANY($2)) AND NOT ($3 AND w.require_two_factor)
    ORDER BY w.id`,
)

/**
 * The workspaces an actor sees, oldest first, each with the person's role in it. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope
 */
export async function listWorkspaces(actor: Actor): Promise<WorkspaceRow[]> {
  const { userId, workspaceIds, outside } = workspaceReach(actor)
  return findMine(userId, workspaceIds ?? null, outside)
}
