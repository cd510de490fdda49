import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Prisma, WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockUsers } from '@/lib/policy/lock-role'

type Provider = Pick<WorkspaceIdentityProvider, 'workspaceId' | 'domain' | 'issuer'>

/**
 * Ends all sessions and pending sign-ins of users who must now use SSO. Locks the users first. A concurrent sign-in therefore
 * either finishes earlier, so that its session ends too, or finds the new requirement. The session of the admin who turns on
 * the requirement does not end yet. This session counts as an SSO session for up to an hour, so that the admin can undo the
 * change.
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
  // Read the IDs first, because Citus cannot change rows based on a table with a different distribution (ADR 0039).
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
 * The maximum number of milliseconds that an admin stays signed in after changing the provider for their own sign-in. During
 * this time, the admin can correct a mistyped domain.
 */
const keptMs = 3_600_000

/**
 * Ends the sessions and pending sign-ins of an SSO connection that changes or is removed. The actor's own session is detached
 * from the connection and ends within an hour.
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
