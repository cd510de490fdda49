import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import { knownWorkspaceIds, roleInWorkspace, workspaceById } from '@/lib/policy/visible'

const findReachable = statement<WorkspaceRow, [userId: string]>(
  'list-reachable-workspaces',
  `SELECT ${workspaceColumns('NULL')}
     FROM ${knownWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    ORDER BY wm.role IS NULL, w.name, w.id`,
)

/**
 * Every workspace a person can open in the console: their own, and after them those where they only share a project
 * (`role` is null there). Those that ask for two factors stand there too: their door says what to do. One statement, by name.
 */
export const listReachableWorkspaces = (actor: SessionActor): Promise<WorkspaceRow[]> =>
  findReachable(actor.userId)
