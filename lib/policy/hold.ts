import { deriveCredential, hashCredential } from '@/lib/base/credentials/tokens'
import type { Db } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { Actor } from './actor'
import {
  allows,
  type Permission,
  type ProjectPermission,
  permissions,
  type WorkspacePermission,
} from './permissions'
import type { Role } from './scopes'

/**
 * Holds the role that a permission took until a transaction ends: it is read as it is now, and whoever takes it away waits. For what
 * outlives the role, such as a secret or an invitation: a request that was let through may wait for a lock while its person is removed.
 * Where a transaction locks workspaces, projects or apps as well, it does so before; other rows of a workspace, after. What only a
 * token is bounded by was looked at by `requireWorkspace`.
 * See ADR 0022.
 * @throws AppError NOT_FOUND (no role there any more), FORBIDDEN (a lower one)
 */
export async function holdWorkspace(
  tx: Db,
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
): Promise<void> {
  // Nobody stands behind an installation, and none is an admin.
  if (actor.userId === null) return
  requireStill(permission, await holdWorkspaceRole(tx, id, actor.userId))
}

/**
 * Has whoever changes, counts or deletes a workspace wait for each other, until a transaction ends. Before its projects, its apps and
 * the role there; a row that refers to the workspace can be written meanwhile.
 */
export const lockWorkspace = (tx: Db, id: string): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`

/**
 * Has what changes a person's account, what begins in it and what ends it wait for each other, until a transaction ends. Before any
 * other row: whoever wrote one that refers to the person first, and then waited here, would wait for a deletion as that for them.
 * @returns by what they sign in, and whether they may, as it is now; undefined where there is no such person
 */
export async function lockPerson(
  tx: Db,
  userId: string,
): Promise<{ passwordHash: string | null; suspendedAt: Date | null } | undefined> {
  const [person] = await tx.$queryRaw<{ passwordHash: string | null; suspendedAt: Date | null }[]>`
    SELECT password_hash AS "passwordHash", suspended_at AS "suspendedAt"
      FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
  return person
}

/** The same for several, in one order. */
export const lockPeople = (tx: Db, userIds: string[]): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM users WHERE id = ANY(${userIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`

/**
 * Holds a role as `holdWorkspace` does, for a project, which also stays where it is meanwhile.
 * @param project as it was looked up
 * @throws AppError NOT_FOUND (it is gone or in another workspace now, or no role there any more), FORBIDDEN (a lower one)
 */
export async function holdProject(
  tx: Db,
  actor: Actor,
  permission: ProjectPermission,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<void> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM projects WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid FOR SHARE`
  if (found.length === 0) throw new AppError('NOT_FOUND')
  if (actor.userId === null) return
  const inWorkspace = await holdWorkspaceRole(tx, workspaceId, actor.userId)
  if (allows(inWorkspace, permission)) return
  const [own] = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role FROM project_members WHERE project_id = ${id}::uuid AND user_id = ${actor.userId}::uuid FOR SHARE`
  requireStill(permission, own?.role ?? inWorkspace)
}

/**
 * Requires that the actor still is an instance admin, and keeps it so until a transaction ends: of two who take the right away from each
 * other at the same moment, the second finds that it has none. Locks every instance admin, and before other rows, as whoever deletes people does.
 * @throws AppError FORBIDDEN
 */
export async function holdInstance(tx: Db, actor: Actor): Promise<void> {
  const instanceAdmins = await lockInstanceAdmins(tx)
  if (!instanceAdmins.some((id) => id === actor.userId)) throw new AppError('FORBIDDEN')
}

/**
 * Locks every instance admin until a transaction ends, so that of two who lose the right at the same moment the second finds who is left.
 * @returns their ids
 */
export async function lockInstanceAdmins(tx: Db): Promise<string[]> {
  const instanceAdmins = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE instance_admin AND suspended_at IS NULL ORDER BY id FOR NO KEY UPDATE`
  return instanceAdmins.map(({ id }) => id)
}

async function holdWorkspaceRole(tx: Db, workspaceId: string, userId: string): Promise<Role | undefined> {
  const [member] = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role FROM workspace_members WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid FOR SHARE`
  return member?.role
}

/** @param role as it is now @throws AppError NOT_FOUND, FORBIDDEN */
function requireStill(permission: Permission, role: Role | undefined): void {
  if (allows(role, permission)) return
  if (!role) throw new AppError('NOT_FOUND')
  throw new AppError('FORBIDDEN', 'Your role changed. Reload and try again.', {
    requiredRole: permissions[permission].role,
    role,
  })
}

/**
 * Returns when a new API token or client secret expires. If an API token creates it, it expires no later than that token:
 * otherwise a leaked token that expires could give itself a successor that does not. Sessions are not limited.
 * The creating token is locked until the transaction ends, so a token that is being revoked creates nothing.
 * @param expiresAt the requested expiry; without one, the expiry of the creating token applies
 * @returns null for a credential that does not expire
 * @throws AppError BAD_USER_INPUT for a later expiry, UNAUTHENTICATED if the creating token was revoked in the meantime
 */
export async function expiryWithin(
  tx: Db,
  actor: Actor,
  expiresAt: Date | null | undefined,
): Promise<Date | null> {
  if (!('tokenId' in actor)) return expiresAt ?? null
  const [token] = await tx.$queryRaw<{ hash: Uint8Array; expiresAt: Date | null }[]>`
    SELECT hash, expires_at AS "expiresAt" FROM api_tokens WHERE id = ${actor.tokenId}::uuid FOR SHARE`
  if (!token) throw new AppError('UNAUTHENTICATED')
  const latest = token.expiresAt
  if (!latest || (expiresAt && expiresAt <= latest)) return expiresAt ?? null
  if (await isExplorerToken(tx, actor.userId, token.hash)) return expiresAt ?? null
  if (!expiresAt) return latest
  throw badInput(
    'expiresAt',
    `This token expires at ${latest.toISOString()}, and what it creates can't expire later. Choose an earlier date.`,
  )
}

/**
 * Returns the value of the account token that the GraphQL explorer uses for a session. It is derived from the session's ID under
 * a key of this service. See ADR 0040.
 */
export const explorerTokenOf = (sessionId: string): string =>
  deriveCredential('accountToken', 'explorer-token', sessionId)

/**
 * Whether a token is the explorer's. Only this server knows its value and sends it for a request of the session itself, which
 * extends it: its short expiry is not a limit that the user chose.
 */
async function isExplorerToken(tx: Db, userId: string, hash: Uint8Array): Promise<boolean> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { id: true } })
  return sessions.some(({ id }) => hashCredential(explorerTokenOf(id)).equals(hash))
}
