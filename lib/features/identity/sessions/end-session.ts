import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'

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

/** Ends every session of the person but the one asking. @returns how many ended */
export async function revokeOtherSessions(actor: SessionActor): Promise<number> {
  const { count } = await prisma().session.updateMany({
    where: { userId: actor.userId, revokedAt: null, id: { not: actor.sessionId } },
    data: { revokedAt: new Date() },
  })
  return count
}
