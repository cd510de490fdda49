import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { type ProjectRow, requireProject, requireWorkspace } from '@/lib/policy/require'
import { workspacesWith } from '@/lib/policy/visible'
import { requireProjectRoom, transferProjectInput } from './create-project'

/**
 * Moves a project with its environments, members, and tokens to another workspace. Requires
 * `project:transfer`, and `workspace:transfer-projects` in both workspaces. Deletes the project's app
 * approvals and invitations, and removes the project from app installations. Permissions are checked on
 * every request, so the roles, app policy, and other rules of the new workspace apply immediately. See ADR
 * 0016.
 * @param input `projectId`, and `workspaceId` of the destination
 * @returns the moved project
 * @throws AppError BAD_USER_INPUT (invalid input, or the project already belongs to that workspace), CONFLICT
 * (the destination has too many projects, or the project was moved or deleted concurrently), and the errors
 * of `requireProject`, `requireWorkspace`, and `lockWorkspaceRole`
 */
export async function transferProject(actor: Actor, input: unknown): Promise<ProjectRow> {
  const { projectId, workspaceId } = parseInput(transferProjectInput, input)
  const project = await requireProject(actor, 'project:transfer', projectId)
  const from = await requireWorkspace(actor, 'workspace:transfer-projects', project.workspaceId)
  const to = await requireWorkspace(actor, 'workspace:transfer-projects', workspaceId)
  if (to.id === from.id)
    throw badInput('workspaceId', 'The project already belongs to this workspace. Choose another workspace.')
  return prisma().$transaction(async (tx) => {
    await requireProjectRoom(tx, to.id)
    const found = await tx.$queryRaw<unknown[]>`
      SELECT id FROM projects WHERE id = ${project.id}::uuid AND workspace_id = ${from.id}::uuid FOR NO KEY UPDATE`
    if (found.length === 0)
      throw new AppError('CONFLICT', 'The project was moved or deleted. Reload and try again.')
    for (const { id } of [from, to]) await lockWorkspaceRole(tx, actor, 'workspace:transfer-projects', id)
    const moved = await tx.project.update({ where: { id: project.id }, data: { workspaceId: to.id } })
    await tx.workspaceAppProject.deleteMany({ where: { projectId: project.id } })
    await tx.invitation.deleteMany({ where: { projectId: project.id } })
    await tx.$executeRaw`
      UPDATE installations SET project_ids = array_remove(project_ids, ${project.id}::uuid)
       WHERE workspace_id = ${from.id}::uuid AND ${project.id}::uuid = ANY (project_ids)`
    for (const workspace of [from, to]) {
      await recordEvent(tx, actor, {
        action: 'project.transferred',
        resource: { type: 'project', id: project.id },
        workspaceId: workspace.id,
        details: { name: project.name, fromWorkspaceId: from.id, toWorkspaceId: to.id },
      })
    }
    const { role: workspaceRole, appPolicy, appDecision, requiresApprovalFor } = to
    return {
      ...moved,
      workspaceRole,
      projectRole: project.projectRole,
      appPolicy,
      appDecision,
      requiresApprovalFor,
    }
  })
}

/** The maximum number of destinations that the form offers. The API does not have this limit. */
const most = 200

/**
 * Returns up to 200 workspaces to which an actor can move a project, ordered by name. Does not apply a
 * token's limits.
 * @param workspaceId the current workspace of the project, which is excluded
 */
export const listDestinations = (
  actor: Actor,
  workspaceId: string,
): Promise<{ id: string; name: string }[]> =>
  prisma().workspace.findMany({
    where: { AND: [workspacesWith(actor, 'workspace:transfer-projects'), { id: { not: workspaceId } }] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: most,
  })
