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
 * Locks the role of an actor until a transaction ends: it reads the current role, and a change of the role
 * waits. For results that outlive the role, such as a secret or an invitation: otherwise a request could wait
 * for a lock while its user is removed. A transaction that also locks workspaces, projects, or apps does so
 * first; other rows of a workspace come later. `requireWorkspace` has already checked the limits of the
 * token. See ADR 0017.
 * @throws AppError NOT_FOUND (no role any more), FORBIDDEN (the role is too low now)
 */
export async function lockWorkspaceRole(
  tx: Db,
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
): Promise<void> {
  // An app installation has no user and is never an admin.
  if (actor.userId === null) return
  requireStill(permission, await holdWorkspaceRole(tx, id, actor.userId))
}

/**
 * Serializes changes, counts, and deletions of a workspace until a transaction ends. Call it before locking
 * the workspace's projects, apps, or roles. Rows that refer to the workspace can still be written.
 */
export const lockWorkspace = (tx: Db, id: string): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`

/**
 * Serializes changes of a user's account, and what starts or ends in it, until a transaction ends. Call it
 * before writing any other row: otherwise a deletion of the user and this transaction could deadlock.
 * @returns the user's sign-in methods and whether they are suspended; undefined if the user is gone
 */
export async function lockUser(
  tx: Db,
  userId: string,
): Promise<{ passwordHash: string | null; suspendedAt: Date | null } | undefined> {
  const [user] = await tx.$queryRaw<{ passwordHash: string | null; suspendedAt: Date | null }[]>`
    SELECT password_hash AS "passwordHash", suspended_at AS "suspendedAt"
      FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
  return user
}

/** Locks several users in a fixed order. */
export const lockUsers = (tx: Db, userIds: string[]): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM users WHERE id = ANY(${userIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`

/**
 * Locks a role in a project as `lockWorkspaceRole` does in a workspace. The project cannot move until the
 * transaction ends.
 * @param project as it was looked up
 * @throws AppError NOT_FOUND (it is gone, in another workspace, or without a role any more), FORBIDDEN (the
 * role is too low now)
 */
export async function lockProjectRole(
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
 * Requires that the actor is still an instance admin, and locks that until a transaction ends: if two admins
 * revoke each other's role at the same time, the second one fails. Call it before locking other rows, as
 * deletions of users do.
 * @throws AppError FORBIDDEN
 */
export async function lockInstanceAdminRole(tx: Db, actor: Actor): Promise<void> {
  const instanceAdmins = await lockInstanceAdmins(tx)
  if (!instanceAdmins.some((id) => id === actor.userId)) throw new AppError('FORBIDDEN')
}

/**
 * Locks all instance admins until a transaction ends, so that two concurrent removals cannot leave none.
 * @returns their IDs
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

/** @param role the current role @throws AppError NOT_FOUND, FORBIDDEN */
function requireStill(permission: Permission, role: Role | undefined): void {
  if (allows(role, permission)) return
  if (!role) throw new AppError('NOT_FOUND')
  throw new AppError('FORBIDDEN', 'Your role changed. Reload and try again.', {
    requiredRole: permissions[permission].role,
    role,
  })
}

/**
 * Returns when a new API token or client secret expires. If an API token creates it, it expires no later than
 * that token: otherwise a leaked token could create a successor that does not expire. Sessions are not
 * limited. The creating token is locked until the transaction ends, so a token that is being revoked creates
 * nothing.
 * @param expiresAt the requested expiry; without one, the expiry of the creating token applies
 * @returns null for a credential that does not expire
 * @throws AppError BAD_USER_INPUT for a later expiry, UNAUTHENTICATED if the creating token was revoked in
 * the meantime
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
 * a key of this service. See ADR 0025.
 */
export const explorerTokenOf = (sessionId: string): string =>
  deriveCredential('accountToken', 'explorer-token', sessionId)

/**
 * Whether a token is the explorer's. Only this server sends it, for a request of the session itself, which
 * extends it. The user did not choose its short expiry, so it does not limit new tokens.
 */
async function isExplorerToken(tx: Db, userId: string, hash: Uint8Array): Promise<boolean> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { id: true } })
  return sessions.some(({ id }) => hashCredential(explorerTokenOf(id)).equals(hash))
}
