import { config } from '@/lib/base/config/env'
import { inTransaction } from '@/lib/base/db/in-transaction'
import type { Db } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdProject, lockWorkspace } from '@/lib/policy/hold'
import { requireProject } from '@/lib/policy/require'

/**
 * Deletes a project with all that is in it; its tokens, invitations and approvals for good, the rest so that it can be restored for
 * RESTORE_DAYS. Takes `project:delete`.
 * See decision 187; what is locked in which order, decision 224.
 * @throws AppError as `authorizeProject`
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  const project = await requireProject(actor, 'project:delete', id)
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, project.workspaceId)
    const found = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM projects WHERE id = ${project.id}::uuid FOR UPDATE`
    if (found.length === 0) return
    await holdProject(tx, actor, 'project:delete', project)
    if (config().RESTORE_DAYS > 0) await setAside(tx, project.id, actor.userId)
    await tx.project.delete({ where: { id: project.id } })
    await recordEvent(tx, actor, {
      action: 'project.deleted',
      resource: { type: 'project', id: project.id },
      workspaceId: project.workspaceId,
      details: { name: project.name },
    })
  })
}

/** Copies what a project that is locked holds: no environments are added and no variables changed until it is gone. */
async function setAside(tx: Db, id: string, userId: string | null): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM environments WHERE project_id = ${id}::uuid ORDER BY id FOR UPDATE`
  const members = await tx.projectMember.findMany({
    where: { projectId: id },
    select: { userId: true, role: true, createdAt: true },
  })
  await tx.$executeRaw`
    INSERT INTO deleted_projects (id, workspace_id, name, description, created_at, updated_at, deleted_by_id, members, environments)
    SELECT p.id, p.workspace_id, p.name, p.description, p.created_at, p.updated_at, ${userId}::uuid,
      ${JSON.stringify(members)}::jsonb,
      (SELECT COALESCE(jsonb_agg(to_jsonb(e)), '[]') FROM environments e WHERE e.project_id = p.id)
    FROM projects p WHERE p.id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO deleted_variables (id, project_id, environment_id, name, sealed_value, created_at, updated_at)
    SELECT v.id, e.project_id, v.environment_id, v.name, v.sealed_value, v.created_at, v.updated_at
      FROM variables v JOIN environments e ON e.id = v.environment_id WHERE e.project_id = ${id}::uuid`
  await tx.$executeRaw`
    INSERT INTO deleted_variable_changes
           (id, project_id, environment_id, name, action, user_id, actor_kind, actor_id, created_at)
    SELECT c.id, e.project_id, c.environment_id, c.name, c.action, c.user_id, c.actor_kind, c.actor_id, c.created_at
      FROM variable_changes c JOIN environments e ON e.id = c.environment_id WHERE e.project_id = ${id}::uuid`
}
