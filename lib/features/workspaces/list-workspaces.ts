import { readByKey } from '@/lib/base/db/shared-reads'
import type { Actor } from '@/lib/policy/actor'
import { type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import {
  roleInWorkspace,
  visibleWorkspace,
  type WorkspaceValues,
  workspacesOfPerson,
  workspaceValues,
} from '@/lib/policy/visible'

const findOfPerson = readByKey<WorkspaceRow, WorkspaceValues>(
  'list-workspaces',
  `SELECT ${workspaceColumns('$4')} FROM ${workspacesOfPerson} ORDER BY w.id`,
)

const findOfInstallation = readByKey<WorkspaceRow, WorkspaceValues>(
  'list-workspaces-of-installation',
  `SELECT ${workspaceColumns('$4')}
     FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}
    ORDER BY w.id`,
)

/**
 * The workspaces an actor sees, oldest first, each with the person's role in it. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope
 */
export async function listWorkspaces(actor: Actor): Promise<WorkspaceRow[]> {
  return (actor.userId === null ? findOfInstallation : findOfPerson)(...workspaceValues(actor))
}
