import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { liveSessions } from './find-live-session'

/** Signs the actor out: ends the session it came with. Ending it twice is no error. */
export async function endOwnSession(actor: SessionActor): Promise<void> {
  await prisma().session.updateMany({
    where: { id: actor.sessionId, revokedAt: null },
    data: { revokedAt: new Date() },
  })
}

/**
 * Ends one of the person's sessions, here or in another browser; its next request finds it gone.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person, NOT_FOUND for no such live session of theirs
 */
export async function revokeSession(actor: Actor, sessionId: string): Promise<void> {
  authorizeAccount(actor)
  await prisma().$transaction(async (tx) => {
    const { count } = isId(sessionId)
      ? await tx.session.updateMany({
          where: { id: sessionId, userId: actor.userId, revokedAt: null },
          data: { revokedAt: new Date() },
        })
      : { count: 0 }
    if (count === 0) throw new AppError('NOT_FOUND', 'This session has already ended.')
    await recordEvent(tx, actor, {
      action: 'session.revoked',
      resource: { type: 'session', id: sessionId },
    })
  })
}

/**
 * Signs the person out in every browser but the one that asks; a token is in none, and ends them all.
 * @returns how many browsers were signed in
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function revokeOtherSessions(actor: Actor): Promise<number> {
  authorizeAccount(actor)
  const others = {
    userId: actor.userId,
    ...(actor.kind === 'session' ? { id: { not: actor.sessionId } } : {}),
  }
  return prisma().$transaction(async (tx) => {
    const sessions = await tx.session.count({ where: { ...others, ...liveSessions() } })
    // Those too that were left unused for too long: how long that is can be changed.
    await tx.session.updateMany({ where: { ...others, revokedAt: null }, data: { revokedAt: new Date() } })
    if (sessions === 0) return 0
    await recordEvent(tx, actor, {
      action: 'session.others_revoked',
      resource: { type: 'user', id: actor.userId },
      details: { sessions },
    })
    return sessions
  })
}
