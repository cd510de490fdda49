import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { workspaceReach } from '@/lib/policy/visible'

const findMine = statement<WorkspaceRow, [userId: string, only: readonly string[] | null, outside: boolean]>(
  'list-workspaces',
  `SELECT ${workspaceColumns}
     FROM workspace_members wm JOIN workspaces w ON w.id = wm.workspace_id
    WHERE wm.user_id = $1 AND ($2::uuid[] IS NULL OR w.id = ANY($2)) AND NOT ($3 AND w.require_two_factor)
    ORDER BY w.id`,
)

/**
 * The workspaces an actor sees, oldest first, each with the person's role in it. One statement; none, and no promise, when
 * the person's workspaces were read before.
 * @param read the person's workspaces, oldest first; what the actor may not see is left out
 * @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope
 */
export function listWorkspaces(
  actor: Actor,
  read?: readonly WorkspaceRow[],
): WorkspaceRow[] | Promise<WorkspaceRow[]> {
  const { userId, workspaceIds, outside } = workspaceReach(actor)
  if (!read) return findMine(userId, workspaceIds ?? null, outside)
  return read.filter(
    ({ id, requireTwoFactor }) =>
      (!workspaceIds || workspaceIds.includes(id)) && !(outside && requireTwoFactor),
  )
}
