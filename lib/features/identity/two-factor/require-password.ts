import { verifyPassword } from '@/lib/base/credentials/password'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, refundIfBusy, resetAttempts } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { SessionActor } from '@/lib/policy/actor'

/** How long a password confirms further changes in the same session. See ADR 0029. */
const lastsMs = 10 * 60 * 1000

/** Returns whether the user entered their password in this session within the last ten minutes. */
export async function confirmedLately(actor: SessionActor): Promise<boolean> {
  const session = await prisma().session.findUnique({
    where: { id: actor.sessionId },
    select: { confirmedAt: true },
  })
  const at = session?.confirmedAt
  return at != null && databaseNow() - at.getTime() < lastsMs
}

/** Records that the user just entered their password in this session. */
async function recordPasswordConfirmed(actor: SessionActor): Promise<void> {
  await prisma().session.updateMany({
    where: { id: actor.sessionId, revokedAt: null },
    data: { confirmedAt: new Date(databaseNow()) },
  })
}

const perUser: AttemptLimit = {
  name: 'confirm-password',
  points: 10,
  seconds: 3600,
  message: 'Too many wrong passwords. Try again in an hour.',
}

const freshMs = 15 * 60 * 1000

/**
 * Requires proof that the user is present before a change to the account's security: the password or, without one, a sign-in
 * within the last 15 minutes. A password is valid for ten minutes. Within that time it is optional, but is still checked.
 * @param eachTime ignores an earlier password
 * @throws AppError BAD_USER_INPUT on `password`, FORBIDDEN (sign in again), RATE_LIMITED
 */
export async function requirePassword(
  actor: SessionActor,
  password: string,
  { eachTime = false } = {},
): Promise<void> {
  const { passwordHash } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { passwordHash: true },
  })
  if (passwordHash === null) return requireFreshSignIn(actor)
  if (password === '' && !eachTime && (await confirmedLately(actor))) return
  await countAttempt(perUser, actor.userId)
  const matches = await refundIfBusy([[perUser, actor.userId]], () => verifyPassword(passwordHash, password))
  if (!matches) {
    throw badInput('password', 'This password is incorrect.')
  }
  await resetAttempts(perUser, actor.userId)
  await recordPasswordConfirmed(actor)
}

/** Returns whether a sign-in is at most 15 minutes old. */
export const isFresh = (authTime: Date): boolean => databaseNow() - authTime.getTime() < freshMs

/**
 * Requires a recent sign-in of a user without a password. Otherwise anyone with an open session could take over the account.
 * @throws AppError FORBIDDEN if the session began more than 15 minutes ago
 */
export async function requireFreshSignIn(actor: SessionActor): Promise<void> {
  const { createdAt } = await prisma().session.findUniqueOrThrow({
    where: { id: actor.sessionId },
    select: { createdAt: true },
  })
  if (isFresh(createdAt)) return
  throw new AppError('FORBIDDEN', 'Sign out and sign in again, then do this within 15 minutes.')
}
