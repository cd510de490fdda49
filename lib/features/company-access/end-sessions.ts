import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { SystemActor } from '@/lib/features/audit/audit-record'
import type { Prisma, WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'

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
  // People by their ids: with Citus no statement changes what lies on the coordinator by what lies on every node.
  const userIds = members.map(({ id }) => id)
  await endSessions(tx, actor, { userId: { in: userIds } })
  await tx.pendingSignIn.deleteMany({ where: { userId: { in: userIds } } })
}

/**
 * Where a provider counts no more: sessions that began by its word end. That of who is at it stays, and hangs on nobody's word from
 * now on.
 */
export async function endSessionsThrough(
  tx: Db,
  actor: Actor | SystemActor,
  workspaceId: string,
): Promise<void> {
  const begun = { companyId: workspaceId }
  await endSessions(tx, actor, begun)
  await tx.pendingSignIn.deleteMany({ where: begun })
  if (actor.kind !== 'session') return
  await tx.session.updateMany({ where: { ...begun, id: actor.sessionId }, data: { companyId: null } })
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
