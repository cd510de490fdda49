import { deriveCredential, hashCredential } from '@/lib/base/credentials/tokens'
import { type Db, isId } from '@/lib/base/db/prisma'
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
 * Requires that the current role of an actor's user in a workspace still has a permission, and locks the role
 * until the transaction ends, so that changes to the role wait. Does nothing for app installations. Use this
 * function when the request creates something that outlives the role, such as a secret or an invitation.
 * Otherwise, the user could lose the role while the request waits for a lock, and the request would still
 * succeed. Call `requireWorkspace` first, because it checks the token's limits. Lock workspaces, projects,
 * and apps before you call this function, and other rows of a workspace afterwards. See ADR 0017.
 * @throws AppError NOT_FOUND (the actor no longer has a role), FORBIDDEN (the role is now too low)
 */
export async function lockWorkspaceRole(
  tx: Db,
  actor: Actor,
  permission: WorkspacePermission,
  id: string,
): Promise<void> {
  // An app installation has no user whose role could change, so there is no role to lock.
  if (actor.userId === null) return
  requireStill(permission, await holdWorkspaceRole(tx, id, actor.userId))
}

/**
 * Locks a workspace until the transaction ends. Other transactions that need the same lock wait, such as
 * those that count the workspace's projects or delete the workspace. Call this function before locking the
 * workspace's projects, apps, or roles. Other transactions can still write rows that refer to the workspace.
 */
export const lockWorkspace = (tx: Db, id: string): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`

/**
 * Locks a user until the transaction ends. Other transactions that change the user or need the same lock
 * wait, such as those that start a session, save an authorization, or accept an invitation. Call this
 * function before writing any other row. Otherwise, this transaction and a deletion of the user could
 * deadlock.
 * @returns the user's password hash and the time of their suspension; undefined if the user no longer exists
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

/**
 * Requires that the session of an actor has not been revoked, and delays its revocation until the transaction
 * ends. Call this function after `lockUser` in each transaction that creates a credential of the user.
 * Otherwise, a request that began earlier could create a credential after a password reset has ended all
 * sessions and removed all credentials. Does nothing for actors other than sessions.
 * @throws AppError UNAUTHENTICATED
 */
export async function holdSession(tx: Db, actor: Actor): Promise<void> {
  if (actor.kind !== 'session' || !isId(actor.sessionId)) return
  const [session] = await tx.$queryRaw<{ revokedAt: Date | null }[]>`
    SELECT revoked_at AS "revokedAt" FROM sessions WHERE id = ${actor.sessionId}::uuid FOR SHARE`
  if (session?.revokedAt) throw new AppError('UNAUTHENTICATED')
}

/** Locks several users until the transaction ends. The fixed order prevents deadlocks. */
export const lockUsers = (tx: Db, userIds: string[]): Promise<unknown> =>
  tx.$queryRaw`SELECT id FROM users WHERE id = ANY(${userIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`

/**
 * Checks and locks a user's role in a project, in the same way as `lockWorkspaceRole` does in a workspace.
 * Also locks the project, so that it cannot be changed, transferred, or deleted until the transaction ends.
 * @param project the project as it was looked up
 * @throws AppError NOT_FOUND (the project was deleted or transferred, or the actor no longer has a role),
 *   FORBIDDEN (the role is now too low)
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
 * Requires that the actor is still an instance admin, and locks all instance admins until the transaction
 * ends. If two admins revoke each other's role at the same time, the second revocation fails. Call this
 * function before you lock other rows. The deletion of an account also locks the instance admins before it
 * locks workspaces and roles. With a different order, the two transactions could deadlock.
 * @throws AppError FORBIDDEN
 */
export async function lockInstanceAdminRole(tx: Db, actor: Actor): Promise<void> {
  const instanceAdmins = await lockInstanceAdmins(tx)
  if (!instanceAdmins.some((id) => id === actor.userId)) throw new AppError('FORBIDDEN')
}

/**
 * Locks all instance admins who are not suspended until the transaction ends, so that two concurrent removals
 * cannot remove the last instance admin.
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

/** Requires that the actor's current role still has a permission. @throws AppError NOT_FOUND, FORBIDDEN */
function requireStill(permission: Permission, role: Role | undefined): void {
  if (allows(role, permission)) return
  if (!role) throw new AppError('NOT_FOUND')
  throw new AppError(
    'FORBIDDEN',
    'Your role changed, and you can no longer perform this action. Reload to see your current role.',
    {
      requiredRole: permissions[permission].role,
      role,
    },
  )
}

/**
 * Returns when a new API token or client secret expires. A credential that an API token creates expires no
 * later than that token. Otherwise, a leaked token could create a successor that does not expire. The expiry
 * is not limited if the credential is created in a session, by an app, with a token that does not expire, or
 * with the GraphQL explorer's token. Locks the creating token until the transaction ends, so a token cannot
 * create anything while it is being revoked.
 * @param expiresAt the requested expiry; if absent, the latest possible expiry applies
 * @returns null for a credential that does not expire
 * @throws AppError BAD_USER_INPUT if the requested expiry is too late, UNAUTHENTICATED if the creating token
 *   was revoked in the meantime
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
    `Choose an expiry no later than ${latest.toISOString()}, when this token expires.`,
  )
}

/**
 * Returns the account token that the GraphQL explorer uses in a session. The token is derived from the
 * session's ID with one of this instance's keys. See ADR 0025.
 */
export const explorerTokenOf = (sessionId: string): string =>
  deriveCredential('accountToken', 'explorer-token', sessionId)

/**
 * Returns whether a token is the GraphQL explorer's token for one of the user's sessions. The explorer renews
 * this token while the user works with the explorer, so the token's expiry does not limit the expiry of new
 * tokens.
 */
async function isExplorerToken(tx: Db, userId: string, hash: Uint8Array): Promise<boolean> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { id: true } })
  return sessions.some(({ id }) => hashCredential(explorerTokenOf(id)).equals(hash))
}
