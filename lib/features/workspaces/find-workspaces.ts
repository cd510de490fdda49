import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { authorizeWorkspace } from '@/lib/policy/authorize'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { authorizeTwoFactor } from '@/lib/policy/two-factor'
import { roleInWorkspace } from '@/lib/policy/visible'

const findByIds = statement<WorkspaceRow, [userId: string, ids: readonly string[]]>(
  'find-workspaces',
  `SELECT ${workspaceColumns}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = ANY($2::uuid[])`,
)

/**
 * Reads several workspaces in one statement, deciding for each.
 * @param ids of workspaces as other rows name them
 * @returns for each id, in order, the workspace with the person's role, or the AppError that `authorizeWorkspace` or
 *   `authorizeTwoFactor` throws
 */
export async function findWorkspaces(
  actor: Actor,
  ids: readonly string[],
): Promise<(WorkspaceRow | Error)[]> {
  const found = new Map((await findByIds(actor.userId, ids)).map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    try {
      authorizeWorkspace(actor, 'workspace:read', id, row && { id, workspaceRole: row.role ?? undefined })
      if (row) authorizeTwoFactor(actor, row)
      return row as WorkspaceRow
    } catch (error) {
      return error as Error
    }
  })
}
