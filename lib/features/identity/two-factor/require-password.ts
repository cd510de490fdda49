import { verifyPassword } from '@/lib/base/credentials/password'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, refundIfBusy, resetAttempts } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { SessionActor } from '@/lib/policy/actor'

/**
 * The number of milliseconds for which an entered password confirms further changes in the same session. See
 * ADR 0029.
 */
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

/**
 * Records that the user just entered their password in this session. Does nothing if the session has ended.
 */
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
 * Requires proof that the user is present before a change to the account's security. The proof is the
 * password or, for a user without a password, a sign-in within the last 15 minutes. An entered password is
 * valid for ten minutes. During that time, the user does not have to enter it again. A password that the user
 * enters anyway is still checked. Limits the number of wrong passwords per user.
 * @param password the entered password, or an empty text if the user entered none
 * @param eachTime whether to ignore a password that was entered earlier
 * @throws AppError BAD_USER_INPUT on `password`, FORBIDDEN (the sign-in is too old), RATE_LIMITED,
 * SERVICE_UNAVAILABLE if the server is too busy to check the password
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

/** Returns whether a sign-in is less than 15 minutes old. */
export const isFresh = (authTime: Date): boolean => databaseNow() - authTime.getTime() < freshMs

/**
 * Requires a sign-in within the last 15 minutes. Without this check, anyone with access to an open session
 * could take over the account of a user who has no password.
 * @throws AppError FORBIDDEN if the session began 15 minutes ago or earlier
 */
export async function requireFreshSignIn(actor: SessionActor): Promise<void> {
  const { createdAt } = await prisma().session.findUniqueOrThrow({
    where: { id: actor.sessionId },
    select: { createdAt: true },
  })
  if (isFresh(createdAt)) return
  throw new AppError(
    'FORBIDDEN',
    'This action requires a sign-in within the last 15 minutes. Sign out, sign in again, and retry.',
  )
}
