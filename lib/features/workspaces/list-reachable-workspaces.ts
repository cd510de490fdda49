import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'

const findReachable = statement<WorkspaceRow, [userId: string]>(
  'list-reachable-workspaces',
  `SELECT ${workspaceColumns}
     FROM (SELECT workspace_id FROM workspace_members WHERE user_id = $1
            UNION
           SELECT p.workspace_id FROM project_members pm JOIN projects p ON p.id = pm.project_id
            WHERE pm.user_id = $1) AS mine
     JOIN workspaces w ON w.id = mine.workspace_id
     LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = $1
    ORDER BY wm.role IS NULL, w.name, w.id`,
)

/**
 * Every workspace a person can open in the console: their own, and after them those where they only share a project
 * (`role` is null there). One statement, by name.
 */
export const listReachableWorkspaces = (actor: SessionActor): Promise<WorkspaceRow[]> =>
  findReachable(actor.userId)
