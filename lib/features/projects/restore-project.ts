import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { holdWorkspace } from '@/lib/policy/hold'
import { isId, type ProjectRow, requireProject, requireWorkspace } from '@/lib/policy/require'
import { stillRestorable } from './deleted-projects'
import { requireProjectRoom } from './project-room'

/**
 * Takes the deletion of a project back: with its environments, variables and their history, and with the roles of people in it, of
 * those who still have an account. Tokens, invitations and approvals do not come back. Takes `workspace:restore-projects`.
 * See decision 187.
 * @returns the project as the actor sees it
 * @throws AppError NOT_FOUND (never there, restored already, or removed for good), CONFLICT (too many projects), and as
 *   `authorizeWorkspace`
 */
export async function restoreProject(actor: Actor, id: string): Promise<ProjectRow> {
  const unknown = new AppError('NOT_FOUND', 'There is no such deleted project, or you cannot see it.', {
    resource: { type: 'project', id },
  })
  const deleted = isId(id)
    ? await prisma().deletedProject.findFirst({
        where: { id, ...stillRestorable() },
        select: { workspaceId: true, name: true },
      })
    : null
  if (!deleted) throw unknown
  bindApproval(actor, { name: deleted.name })
  // Whoever cannot see the workspace must not learn its id from here.
  const workspace = await requireWorkspace(actor, 'workspace:restore-projects', deleted.workspaceId).catch(
    (error) => {
      throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
    },
  )
  await prisma().$transaction(async (tx) => {
    await requireProjectRoom(tx, workspace.id)
    await holdWorkspace(tx, actor, 'workspace:restore-projects', workspace.id)
    const name = await putBack(tx, id)
    if (name === undefined) throw unknown
    await recordEvent(tx, actor, {
      action: 'project.restored',
      resource: { type: 'project', id },
      workspaceId: workspace.id,
      details: { name },
    })
  })
  return requireProject(actor, 'project:read', id)
}

/** @returns the project's name; undefined when somebody else has restored it meanwhile */
async function putBack(tx: Db, id: string): Promise<string | undefined> {
  const [found] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM deleted_projects WHERE id = ${id}::uuid FOR UPDATE`
  if (!found) return undefined
  await tx.$executeRaw`
    INSERT INTO projects (id, workspace_id, name, description, created_at, updated_at)
    SELECT id, workspace_id, name, description, created_at, updated_at FROM deleted_projects WHERE id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO project_members (project_id, user_id, role, created_at)
    SELECT d.id, u.id, m.role, m."createdAt"
      FROM deleted_projects d, jsonb_to_recordset(d.members) m("userId" uuid, role role, "createdAt" timestamptz)
      JOIN users u ON u.id = m."userId"
     WHERE d.id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO environments (id, project_id, name, revision, created_at, updated_at)
    SELECT e.id, d.id, e.name, e.revision, e.created_at, e.updated_at
      FROM deleted_projects d, jsonb_to_recordset(d.environments)
           e(id uuid, name text, revision int, created_at timestamptz, updated_at timestamptz)
     WHERE d.id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO variables (id, environment_id, name, sealed_value, created_at, updated_at)
    SELECT id, environment_id, name, sealed_value, created_at, updated_at FROM deleted_variables WHERE project_id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO variable_changes (id, environment_id, name, action, user_id, actor_kind, actor_id, created_at)
    SELECT id, environment_id, name, action, user_id, actor_kind, actor_id, created_at
      FROM deleted_variable_changes WHERE project_id = ${id}::uuid`
  await tx.$executeRaw`DELETE FROM deleted_projects WHERE id = ${id}::uuid`
  return found.name
}
