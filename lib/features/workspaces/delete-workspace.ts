import { type Db, inTransaction } from '@/lib/base/db/prisma'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import { linksThrough } from '@/lib/policy/required-sso'
import { lockAdmins } from './change-member'

/**
 * Deletes a workspace with its projects, OAuth apps and tokens, and whom its identity provider knew. Takes `workspace:delete`.
 * Its audit log stays, with this as the last event, for the instance admin alone: nobody has a role in what is gone.
 * See ADR 0054.
 * @throws AppError as `authorizeWorkspace`
 */
export async function deleteWorkspace(actor: Actor, id: string): Promise<void> {
  const workspace = await requireWorkspace(actor, 'workspace:delete', id)
  await inTransaction(async (tx) => {
    await lockToDelete(tx, [workspace.id])
    await lockAdmins(tx, workspace.id)
    await holdWorkspace(tx, actor, 'workspace:delete', workspace.id)
    await dropWorkspace(tx, actor, workspace)
  })
}

/**
 * Locks workspaces that are about to be deleted, with their projects and apps, before anybody's role in them. Whoever locks one of these and
 * then holds a role comes first, or waits here; a deletion that held the roles first would wait for them as they for it.
 * See ADR 0022.
 */
export async function lockToDelete(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  await tx.$queryRaw`SELECT id FROM projects WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  await tx.$queryRaw`SELECT id FROM oauth_clients WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
}

/**
 * Has nobody join workspaces that are about to be deleted, nor their projects, once `lockToDelete` and the locks of roles are taken: for who
 * looks whether anybody has. What refers to them waits from here on.
 */
export async function letNobodyJoin(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`
  await tx.$queryRaw`SELECT id FROM projects WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`
}

/**
 * Deletes a workspace in an existing transaction. The caller must have checked the permission and called
 * `lockToDelete`.
 */
export async function dropWorkspace(
  tx: Db,
  actor: Actor,
  { id, name, slug }: { id: string; name: string; slug: string },
): Promise<void> {
  await endAuthorizations(tx, { client: { workspaceId: id } })
  await noteName(tx, id)
  const { count } = await tx.workspace.deleteMany({ where: { id } })
  if (count === 0) return
  await tx.identity.deleteMany({ where: linksThrough(id) })
  await recordEvent(tx, actor, {
    action: 'workspace.deleted',
    resource: { type: 'workspace', id },
    workspaceId: id,
    details: { name, slug },
  })
}

/** What a workspace is called, kept for its audit log. A trigger does the same for the release before. */
const noteName = (tx: Db, id: string) =>
  tx.$executeRaw`
    INSERT INTO deleted_workspaces (id, slug, name) SELECT id, slug, name FROM workspaces WHERE id = ${id}::uuid
    ON CONFLICT (id) DO NOTHING`
