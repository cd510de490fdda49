import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor } from '@/lib/policy/actor'
import { needsSelection } from '@/lib/policy/scopes'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'
import type { Selection } from './input'

/**
 * Checks what a person selected for an app: only what the person has a role in may be shared, and where a scope asks for
 * workspaces or projects at least one must be (a grant with nothing selected means no access, never all).
 * @param scopes what the selection is for; a kind no scope asks for is dropped from it
 * @returns the selection without duplicates
 * @throws AppError BAD_USER_INPUT on `selection` when nothing is selected, NOT_FOUND for what the person cannot see
 */
export async function checkSelection(
  db: Db,
  actor: Actor,
  scopes: readonly string[],
  selection: Selection,
): Promise<Selection> {
  const asksWorkspaces = needsSelection(scopes, 'workspace')
  const asksProjects = needsSelection(scopes, 'project')
  const workspaceIds = asksWorkspaces ? [...new Set(selection.workspaceIds)] : []
  const projectIds = asksProjects ? [...new Set(selection.projectIds)] : []
  if ((asksWorkspaces || asksProjects) && workspaceIds.length + projectIds.length === 0) {
    const what =
      asksWorkspaces && asksProjects ? 'workspace or project' : asksWorkspaces ? 'workspace' : 'project'
    throw new AppError('BAD_USER_INPUT', `Select at least one ${what}.`, { field: 'selection' })
  }
  const [workspaces, projects] = await Promise.all([
    workspaceIds.length === 0
      ? 0
      : db.workspace.count({ where: { AND: [visibleWorkspaces(actor), { id: { in: workspaceIds } }] } }),
    projectIds.length === 0
      ? 0
      : db.project.count({ where: { AND: [visibleProjects(actor), { id: { in: projectIds } }] } }),
  ])
  if (workspaces !== workspaceIds.length || projects !== projectIds.length) {
    throw new AppError(
      'NOT_FOUND',
      'Something you selected is no longer there, or you lost access to it. Look through the list again.',
    )
  }
  return { workspaceIds, projectIds }
}
