import { type Db, inTransaction } from '@/lib/base/db/prisma'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { identitiesAtProvider } from '@/lib/policy/required-sso'
import { lockAdmins } from './change-member'

/**
 * Deletes a workspace with everything that belongs to it, such as projects, OAuth apps, tokens, and SSO
 * identities. Requires `workspace:delete`. Instance admins can still read the workspace's audit log, whose
 * last event is the deletion. See ADR 0043.
 * @throws the errors of `requireWorkspace`
 */
export async function deleteWorkspace(actor: Actor, id: string): Promise<void> {
  const workspace = await requireWorkspace(actor, 'workspace:delete', id)
  await inTransaction(async (tx) => {
    await lockToDelete(tx, [workspace.id])
    await lockAdmins(tx, workspace.id)
    await lockWorkspaceRole(tx, actor, 'workspace:delete', workspace.id)
    await dropWorkspace(tx, actor, workspace)
  })
}

/**
 * Locks workspaces that are about to be deleted, with their projects and apps. Call this function before you
 * lock roles in the workspaces. Other transactions lock a workspace, project, or app before they lock a role.
 * In the opposite order, the deletion could deadlock with these transactions. See ADR 0017.
 */
export async function lockToDelete(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  await tx.$queryRaw`SELECT id FROM projects WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  await tx.$queryRaw`SELECT id FROM oauth_clients WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
}

/**
 * Prevents users from joining workspaces that are about to be deleted or the projects in these workspaces.
 * Call this function after `lockToDelete` and the role locks, but before checking for members. Until the
 * transaction ends, inserts of rows that reference these workspaces or projects wait.
 */
export async function blockJoining(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`
  await tx.$queryRaw`SELECT id FROM projects WHERE workspace_id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`
}

/**
 * Deletes a workspace and its SSO identities in an existing transaction, ends the authorizations of its apps,
 * and records the deletion in the audit log. Records nothing if the workspace no longer exists. The caller
 * must first check the permission and call `lockToDelete`.
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
  await tx.identity.deleteMany({ where: identitiesAtProvider(id) })
  await recordEvent(tx, actor, {
    action: 'workspace.deleted',
    resource: { type: 'workspace', id },
    workspaceId: id,
    details: { name, slug },
  })
}

/**
 * Stores a workspace's name and slug for its audit log. The previous release does not call this function. For
 * its deletions, a database trigger stores the name and slug.
 */
const noteName = (tx: Db, id: string) =>
  tx.$executeRaw`
    INSERT INTO deleted_workspaces (id, slug, name) SELECT id, slug, name FROM workspaces WHERE id = ${id}::uuid
    ON CONFLICT (id) DO NOTHING`
