import { verifyPassword } from '@/lib/credentials/password'
import { type AttemptLimit, countAttempt, forgetAttempts } from '@/lib/db/attempt-limit'
import { prisma } from '@/lib/db/prisma'
import { AppError, badInput } from '@/lib/errors/app-error'
import type { SessionActor } from '@/lib/policy/actor'

const perPerson: AttemptLimit = {
  name: 'confirm-password',
  points: 10,
  seconds: 3600,
  message: 'Too many wrong passwords. Try again in an hour.',
}

const freshMs = 15 * 60 * 1000

/**
 * Makes sure that it is the person who sits at this session, before what guards the account is changed: by the password, or
 * for those without one by a sign-in of the last 15 minutes.
 * @throws AppError BAD_USER_INPUT on `password`, FORBIDDEN (sign in again), RATE_LIMITED
 */
export async function requirePassword(actor: SessionActor, password: string): Promise<void> {
  const session = await prisma().session.findUniqueOrThrow({
    where: { id: actor.sessionId },
    select: { createdAt: true, user: { select: { passwordHash: true } } },
  })
  if (session.user.passwordHash === null) {
    if (Date.now() - session.createdAt.getTime() < freshMs) return
    throw new AppError('FORBIDDEN', 'Sign out and in again, then do this within 15 minutes.')
  }
  await countAttempt(perPerson, actor.userId)
  if (!(await verifyPassword(session.user.passwordHash, password))) {
    throw badInput('password', 'This is not your password.')
  }
  await forgetAttempts(perPerson, actor.userId)
}
