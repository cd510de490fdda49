import type { Db } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import type { SignInMethod } from '../sessions/start-session'

/**
 * Notes on the session that its person has just shown a second factor by setting it up, and ends their other sessions,
 * which were started without one.
 */
export async function raiseSession(tx: Db, actor: SessionActor, method: SignInMethod): Promise<void> {
  const { methods } = await tx.session.findUniqueOrThrow({
    where: { id: actor.sessionId },
    select: { methods: true },
  })
  await tx.session.update({
    where: { id: actor.sessionId },
    data: { methods: [...new Set([...methods, method, 'mfa'])] },
  })
  await endWeakSessions(tx, actor.userId, actor.sessionId)
}

/**
 * Ends the sessions of a person that were started without a second factor.
 * @param kept goes on as it is: in it the person has just shown who they are
 */
export async function endWeakSessions(tx: Db, userId: string, kept: string): Promise<void> {
  await tx.session.updateMany({
    where: {
      userId,
      id: { not: kept },
      revokedAt: null,
      NOT: { methods: { has: 'mfa' } },
    },
    data: { revokedAt: new Date() },
  })
}
