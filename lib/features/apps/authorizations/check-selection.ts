import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor } from '@/lib/policy/actor'
import { admittedToProject, admittedToWorkspace, type JudgedApp } from '@/lib/policy/app-policy'
import { needsSelection } from '@/lib/policy/scopes'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'
import type { Selection } from './input'
import { loadAdmissions } from './load-admissions'

/**
 * Checks what a person selected for an app: only what the person has a role in may be shared, and where a scope asks for
 * workspaces or projects at least one must be (a grant with nothing selected means no access, never all). What its workspace
 * does not let the app see is not granted.
 * @param scopes what the selection is for; a kind no scope asks for is dropped from it
 * @returns the selection without duplicates
 * @throws AppError BAD_USER_INPUT on `selection` when nothing is selected, NOT_FOUND for what the person cannot see,
 *   APP_NOT_APPROVED for what does not let the app in
 */
export async function checkSelection(
  db: Db,
  actor: Actor,
  app: JudgedApp,
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
      ? []
      : db.project.findMany({
          where: { AND: [visibleProjects(actor), { id: { in: projectIds } }] },
          select: { id: true, workspaceId: true },
        }),
  ])
  if (workspaces !== workspaceIds.length || projects.length !== projectIds.length) {
    throw new AppError(
      'NOT_FOUND',
      'Something you selected is no longer there, or you lost access to it. Look through the list again.',
    )
  }
  const admits = await loadAdmissions(
    db,
    [app],
    [...workspaceIds, ...projects.map((each) => each.workspaceId)],
  )
  const open =
    workspaceIds.every((id) => admittedToWorkspace(admits(app, id))) &&
    projects.every(({ id, workspaceId }) => admittedToProject(admits(app, workspaceId), id))
  if (!open) {
    throw new AppError(
      'APP_NOT_APPROVED',
      'Something you selected does not let this app in. Look through the list again.',
    )
  }
  return { workspaceIds, projectIds }
}
