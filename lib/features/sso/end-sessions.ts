import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Prisma, WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockUsers } from '@/lib/policy/lock-role'

type Provider = Pick<WorkspaceIdentityProvider, 'workspaceId' | 'domain' | 'issuer'>

/**
 * Ends the sessions and pending sign-ins of the users who must now use SSO: users with a role in the
 * workspace or in one of its projects and an email address in the domain. Instance admins are exempt. Locks
 * the users first. If a concurrent sign-in finishes before the lock, its session ends too. A later sign-in
 * waits for the lock and then finds the new requirement. The actor's own session does not end. If the actor
 * is one of these users, the session now counts as an SSO session and expires within an hour. Until then, the
 * actor can undo the change.
 */
export async function signOutDomain(
  tx: Db,
  actor: Actor | SystemActor,
  { workspaceId, domain, issuer }: Provider,
): Promise<void> {
  const members = await tx.user.findMany({
    where: {
      instanceAdmin: false,
      email: { endsWith: `@${domain}` },
      OR: [
        { workspaceMemberships: { some: { workspaceId } } },
        { projectMemberships: { some: { project: { workspaceId } } } },
      ],
    },
    select: { id: true },
  })
  // Pass the IDs to the statements below as values, because Citus cannot change the rows of a table based on
  // a table with a different distribution (ADR 0039).
  const userIds = members.map(({ id }) => id)
  await lockUsers(tx, userIds)
  await endSessions(tx, actor, { userId: { in: userIds } })
  await tx.pendingSignIn.deleteMany({ where: { userId: { in: userIds } } })
  if (actor.kind !== 'session' || !userIds.includes(actor.userId)) return
  await endSoon(tx, { id: actor.sessionId })
  const sso = { ssoWorkspaceId: workspaceId, ssoIssuer: issuer }
  await tx.session.updateMany({ where: { id: actor.sessionId }, data: sso })
}

/**
 * The maximum number of milliseconds that an admin stays signed in after changing, removing, or requiring the
 * provider for their own sign-in. During this time, the admin can correct a mistake such as a mistyped
 * domain.
 */
const keptMs = 3_600_000

/**
 * Ends the sessions and pending sign-ins that began through a workspace's SSO connection. Called when the
 * connection changes, is removed, or loses its verified domain. If the actor's own session began through the
 * connection, it does not end immediately. It is detached from the connection and expires within an hour.
 */
export async function endSessionsOfConnection(
  tx: Db,
  actor: Actor | SystemActor,
  workspaceId: string,
): Promise<void> {
  const begun = { ssoWorkspaceId: workspaceId }
  await endSessions(tx, actor, begun)
  await tx.pendingSignIn.deleteMany({ where: begun })
  if (actor.kind !== 'session') return
  const own = { ...begun, id: actor.sessionId }
  await endSoon(tx, own)
  await tx.session.updateMany({ where: own, data: { ssoWorkspaceId: null, ssoIssuer: null } })
}

async function endSoon(tx: Db, which: Prisma.SessionWhereInput): Promise<void> {
  const expiresAt = new Date(databaseNow() + keptMs)
  await tx.session.updateMany({ where: { ...which, expiresAt: { gt: expiresAt } }, data: { expiresAt } })
}

async function endSessions(
  tx: Db,
  actor: Actor | SystemActor,
  which: Prisma.SessionWhereInput,
): Promise<void> {
  const id = actor.kind === 'session' ? { not: actor.sessionId } : {}
  const revokedAt = new Date(databaseNow())
  await tx.session.updateMany({ where: { ...which, revokedAt: null, id }, data: { revokedAt } })
}
