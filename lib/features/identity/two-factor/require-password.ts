import { verifyPassword } from '@/lib/base/credentials/password'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, refundIfBusy, resetAttempts } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { SessionActor } from '@/lib/policy/actor'

/** How long a password counts for further changes in the same session. See ADR 0036. */
const lastsMs = 10 * 60 * 1000

/** Whether the person gave their password in this very session within the last ten minutes. */
export async function confirmedLately(actor: SessionActor): Promise<boolean> {
  const session = await prisma().session.findUnique({
    where: { id: actor.sessionId },
    select: { confirmedAt: true },
  })
  const at = session?.confirmedAt
  return at != null && databaseNow() - at.getTime() < lastsMs
}

/** Notes that the person has just given their password in this session. */
async function noteConfirmed(actor: SessionActor): Promise<void> {
  await prisma().session.updateMany({
    where: { id: actor.sessionId, revokedAt: null },
    data: { confirmedAt: new Date(databaseNow()) },
  })
}

const perPerson: AttemptLimit = {
  name: 'confirm-password',
  points: 10,
  seconds: 3600,
  message: 'Too many wrong passwords. Try again in an hour.',
}

const freshMs = 15 * 60 * 1000

/**
 * Makes sure that it is the person who sits at this session, before what guards the account is changed: by the password, or
 * for those without one by a sign-in of the last 15 minutes. Given once it counts for ten minutes: none needs to be given
 * then, and one that is given is still checked.
 * @param eachTime does not count what was given before
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
  await countAttempt(perPerson, actor.userId)
  const matches = await refundIfBusy([[perPerson, actor.userId]], () =>
    verifyPassword(passwordHash, password),
  )
  if (!matches) {
    throw badInput('password', 'This password is incorrect.')
  }
  await resetAttempts(perPerson, actor.userId)
  await noteConfirmed(actor)
}

/** Whether a sign-in is of the last 15 minutes. */
export const isFresh = (authTime: Date): boolean => databaseNow() - authTime.getTime() < freshMs

/**
 * The same for a person without a password: whoever finds a session left open must not make the account theirs.
 * @throws AppError FORBIDDEN when the session began more than 15 minutes ago
 */
export async function requireFreshSignIn(actor: SessionActor): Promise<void> {
  const { createdAt } = await prisma().session.findUniqueOrThrow({
    where: { id: actor.sessionId },
    select: { createdAt: true },
  })
  if (isFresh(createdAt)) return
  throw new AppError('FORBIDDEN', 'Sign out and sign in again, then do this within 15 minutes.')
}
