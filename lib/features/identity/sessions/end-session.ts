import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { liveSessions } from './find-live-session'

/** Signs the actor out by ending the actor's session. Has no effect if the session has already ended. */
export async function endOwnSession(actor: SessionActor): Promise<void> {
  await prisma().session.updateMany({
    where: { id: actor.sessionId, revokedAt: null },
    data: { revokedAt: new Date() },
  })
}

/**
 * Ends one of the user's sessions in any browser. Takes effect at the session's next request.
 * @throws AppError FORBIDDEN for tokens without access to the account, NOT_FOUND if the user has no such
 * session or it was already ended
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
 * Ends all the user's sessions except the actor's own. A token has no session of its own, so a call with a
 * token ends all sessions.
 * @returns the number of ended sessions that were still valid
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function revokeOtherSessions(actor: Actor): Promise<number> {
  authorizeAccount(actor)
  const others = {
    userId: actor.userId,
    ...(actor.kind === 'session' ? { id: { not: actor.sessionId } } : {}),
  }
  return prisma().$transaction(async (tx) => {
    const sessions = await tx.session.count({ where: { ...others, ...liveSessions() } })
    // Also end sessions that have been idle for too long, because a settings change can extend the idle time
    // and make these sessions valid again.
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
