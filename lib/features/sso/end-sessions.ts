import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Prisma, WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockPeople } from '@/lib/policy/hold'

type Provider = Pick<WorkspaceIdentityProvider, 'workspaceId' | 'domain' | 'issuer'>

/**
 * Ends the sessions and pending sign-ins of everyone who must use SSO from now on, however they began; a sign-in under way is
 * waited for. The session of the admin who turns the requirement on counts as one through the provider for an hour, so that
 * they can undo it.
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
  // People by their ids: with Citus no statement changes what lies on the coordinator by what lies on every node.
  const userIds = members.map(({ id }) => id)
  await lockPeople(tx, userIds)
  await endSessions(tx, actor, { userId: { in: userIds } })
  await tx.pendingSignIn.deleteMany({ where: { userId: { in: userIds } } })
  if (actor.kind !== 'session' || !userIds.includes(actor.userId)) return
  await endSoon(tx, { id: actor.sessionId })
  const sso = { ssoWorkspaceId: workspaceId, ssoIssuer: issuer }
  await tx.session.updateMany({ where: { id: actor.sessionId }, data: sso })
}

/** So long whoever changes a provider stays signed in that they signed in by: enough to mend a mistyped domain. */
const keptMs = 3_600_000

/**
 * Ends the sessions that began through a workspace's SSO connection, because it changes or goes. The actor's own session ends
 * within the hour, and no longer depends on the connection.
 */
export async function endSessionsThrough(
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
