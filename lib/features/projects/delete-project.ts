import { config } from '@/lib/base/config/env'
import { deleteInBatches } from '@/lib/base/db/batches'
import { type CountedSlice, cutPage, keysetQuery, maxPageSize, type Page } from '@/lib/base/db/paging'
import { type Db, inTransaction, isId, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Prisma, DeletedProject as Row } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { lockProjectRole, lockWorkspace, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { type ProjectRow, requireProject, requireWorkspace } from '@/lib/policy/require'
import { requireProjectRoom } from './create-project'

/**
 * Deletes a project with its contents. Tokens, invitations, and app approvals are deleted permanently.
 * Everything else can be restored for `restoreDays` days. If this setting is 0, everything is deleted
 * permanently. Does nothing if a concurrent request has already deleted the project. Requires
 * `project:delete`. See ADR 0016, and ADR 0017 for the lock order.
 * @throws the errors of `requireProject` and `lockProjectRole`
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  const project = await requireProject(actor, 'project:delete', id)
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, project.workspaceId)
    const found = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM projects WHERE id = ${project.id}::uuid FOR UPDATE`
    if (found.length === 0) return
    await lockProjectRole(tx, actor, 'project:delete', project)
    if (config().restoreDays > 0) await setAside(tx, project.id, actor.userId)
    await tx.project.delete({ where: { id: project.id } })
    await recordEvent(tx, actor, {
      action: 'project.deleted',
      resource: { type: 'project', id: project.id },
      workspaceId: project.workspaceId,
      details: { name: project.name },
    })
  })
}

/**
 * Copies a project with its members, environments, variables, and history to the tables for deleted projects.
 * The caller must have locked the project, so that no environment is added. This function locks the
 * environments, so that no variable changes until the transaction ends.
 */
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

export type DeletedProject = Omit<Row, 'members' | 'environments'>

const dayMs = 86_400_000

/** Returns the time until which a deleted project can be restored. */
export const restorableUntil = ({ deletedAt }: Pick<DeletedProject, 'deletedAt'>): Date =>
  new Date(deletedAt.getTime() + config().restoreDays * dayMs)

/** Returns the filter for deleted projects that can still be restored. */
const stillRestorable = (): Prisma.DeletedProjectWhereInput => ({
  deletedAt: { gt: new Date(Date.now() - config().restoreDays * dayMs) },
})

/**
 * Returns one page of a workspace's deleted projects that can still be restored. The project that was created
 * first comes first. Requires `workspace:restore-projects`.
 * @throws the errors of `requireWorkspace`
 */
export async function listDeletedProjects(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<CountedSlice<DeletedProject>> {
  const workspace = await requireWorkspace(actor, 'workspace:restore-projects', workspaceId)
  const where = { workspaceId: workspace.id, ...stillRestorable() }
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().deletedProject.findMany({
    where: { AND: [where, { id: bounds }] },
    omit: { members: true, environments: true },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().deletedProject.count({ where }) }
}

/**
 * Returns up to 100 restorable projects of a workspace for the console, most recently deleted first. Each row
 * includes the time until which the project can be restored. Requires `workspace:restore-projects`.
 * @throws the errors of `requireWorkspace`
 */
export async function recentlyDeleted(actor: Actor, workspaceId: string) {
  const workspace = await requireWorkspace(actor, 'workspace:restore-projects', workspaceId)
  const rows = await prisma().deletedProject.findMany({
    where: { workspaceId: workspace.id, ...stillRestorable() },
    omit: { members: true, environments: true },
    orderBy: [{ deletedAt: 'desc' }, { id: 'desc' }],
    take: maxPageSize,
  })
  return rows.map((row) => ({ ...row, restorableUntil: restorableUntil(row) }))
}

/**
 * The time after which a cleanup run starts no further batch, in milliseconds. The next run removes the
 * remaining projects.
 */
const longestMs = 60_000

/**
 * Permanently removes deleted projects that can no longer be restored. Stops after `longestMs`, even if such
 * projects are left.
 * @returns the number of removed projects
 */
export const forgetProjects = (): Promise<number> =>
  deleteInBatches(
    {
      table: 'deleted_projects',
      key: 'id',
      where: `deleted_at <= now() - interval '${config().restoreDays} days'`,
    },
    performance.now() + longestMs,
  )

/**
 * Restores a deleted project with its environments, variables, and history, and the roles of users who still
 * have an account. Tokens, invitations, and app approvals are not restored. Requires
 * `workspace:restore-projects`. See ADR 0016.
 * @returns the project as the actor sees it
 * @throws AppError NOT_FOUND (the project is unknown, was already restored, or can no longer be restored),
 * CONFLICT (too many projects), and the errors of `requireWorkspace`, `lockWorkspaceRole`, and
 * `requireProject`
 */
export async function restoreProject(actor: Actor, id: string): Promise<ProjectRow> {
  const unknown = new AppError(
    'NOT_FOUND',
    'The deleted project was not found, or you don’t have access to it.',
    {
      resource: { type: 'project', id },
    },
  )
  const deleted = isId(id)
    ? await prisma().deletedProject.findFirst({
        where: { id, ...stillRestorable() },
        select: { workspaceId: true, name: true },
      })
    : null
  if (!deleted) throw unknown
  bindApproval(actor, { name: deleted.name })
  // A NOT_FOUND error of `requireWorkspace` contains the ID of the workspace, which the caller cannot see.
  // Replace this error.
  const workspace = await requireWorkspace(actor, 'workspace:restore-projects', deleted.workspaceId).catch(
    (error) => {
      throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
    },
  )
  await prisma().$transaction(async (tx) => {
    await requireProjectRoom(tx, workspace.id)
    await lockWorkspaceRole(tx, actor, 'workspace:restore-projects', workspace.id)
    const name = await restoreDeleted(tx, id)
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

/**
 * Moves the rows of a deleted project from the tables for deleted projects back to the original tables. Omits
 * the roles of users whose accounts no longer exist.
 * @returns the project's name, or undefined if a concurrent request has already restored or removed the
 * project
 */
async function restoreDeleted(tx: Db, id: string): Promise<string | undefined> {
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
