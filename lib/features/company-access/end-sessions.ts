import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { SystemActor } from '@/lib/features/audit/audit-record'
import type { WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { linksThrough } from './company-person'

type Provider = Pick<WorkspaceIdentityProvider, 'workspaceId' | 'domain'>

/**
 * Where a company's provider is the only way in: sessions of the domain's members end, however they began, as do sign-ins that are
 * half done. That of who is at it stays, or nobody could undo it.
 */
export async function signOutDomain(
  tx: Db,
  actor: Actor | SystemActor,
  { workspaceId, domain }: Provider,
): Promise<void> {
  const members = await tx.user.findMany({
    where: {
      instanceAdmin: false,
      email: { endsWith: `@${domain}` },
      workspaceMemberships: { some: { workspaceId } },
    },
    select: { id: true },
  })
  const userIds = members.map(({ id }) => id)
  await endSessions(tx, actor, userIds)
  await tx.pendingSignIn.deleteMany({ where: { userId: { in: userIds } } })
}

/**
 * Where a provider counts no more: sessions that began at any provider end, of all whom it knows, since a session does not say at
 * which. That of who is at it stays.
 */
export async function endSessionsThrough(
  tx: Db,
  actor: Actor | SystemActor,
  workspaceId: string,
): Promise<void> {
  const known = await tx.identity.findMany({ where: linksThrough(workspaceId), select: { userId: true } })
  const userIds = known.map(({ userId }) => userId)
  await endSessions(tx, actor, userIds, { methods: { has: 'ext' } })
  await tx.pendingSignIn.deleteMany({ where: { userId: { in: userIds }, methods: { has: 'ext' } } })
}

// People by their ids: with Citus no statement changes what lies on the coordinator by what lies on every node.
async function endSessions(
  tx: Db,
  actor: Actor | SystemActor,
  userIds: string[],
  which: { methods?: { has: string } } = {},
): Promise<void> {
  const id = actor.kind === 'session' ? { not: actor.sessionId } : {}
  const revokedAt = new Date(databaseNow())
  await tx.session.updateMany({
    where: { ...which, revokedAt: null, id, userId: { in: userIds } },
    data: { revokedAt },
  })
}
