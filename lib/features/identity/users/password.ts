import { hashPassword, verifyPassword } from '@/lib/base/credentials/password'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { requireFreshSignIn } from '../two-factor/require-password'
import { changePasswordInput } from './input'
import { type PasswordOwner, passwordWeakness } from './password-strength'
import { countedSignIn, refundSignIn } from './sign-in'

/**
 * Hashes a new password after checking its strength. Use this function for every password that a user
 * chooses, so that each of these passwords is checked. See ADR 0027.
 * @param password a password with a length that `newPassword` accepts
 * @param owner the known data about the user
 * @returns the hash to store
 * @throws AppError BAD_USER_INPUT on `password` if it is too easy to guess, SERVICE_UNAVAILABLE if the server
 * is too busy to hash it
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const weakness = await passwordWeakness(password, owner)
  if (weakness) throw badInput('password', weakness)
  return hashPassword(password)
}

/**
 * Returns whether the user has a password. For example, a user who was created through an identity provider
 * has no password until they set one.
 */
export async function hasPassword(actor: SessionActor): Promise<boolean> {
  const user = await prisma().user.findUnique({
    where: { id: actor.userId },
    select: { passwordHash: true },
  })
  return user?.passwordHash != null
}

/**
 * Ends everything that someone who knew the user's former password could have started and could still finish:
 * pending sign-ins, the unfinished setup of an authenticator app, password reset links, and the link that
 * changes the email address. A link that verifies the current address keeps working.
 * @param tx the transaction that stores the new password
 */
export async function endPendingChanges(
  tx: Db,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  await tx.pendingSignIn.deleteMany({ where: { userId } })
  await tx.totpSecret.deleteMany({ where: { userId, confirmedAt: null } })
  await tx.emailToken.deleteMany({ where: { userId, NOT: { purpose: 'VERIFY_EMAIL', email } } })
}

/**
 * Changes the user's password, or sets a password for a user who has none. Ends all the user's other sessions
 * and pending changes, including those of anyone who knew the old password. Wrong current passwords count as
 * failed sign-in attempts.
 * @param input `current` and `password`. A user without a password omits `current`, but must have signed in
 * within the last 15 minutes.
 * @throws AppError BAD_USER_INPUT on `current` or `password`, FORBIDDEN (the sign-in is too old),
 * RATE_LIMITED, SERVICE_UNAVAILABLE if the server is too busy to check or hash a password
 */
export async function changePassword(actor: SessionActor, input: unknown): Promise<void> {
  const { current, password } = parseInput(changePasswordInput, input)
  const user = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { id: true, name: true, email: true, passwordHash: true },
  })
  if (user.passwordHash) {
    const matches = await countedSignIn(actor, user.email, () => verifyPassword(user.passwordHash, current))
    if (!matches) throw badInput('current', 'The current password is incorrect.')
    await refundSignIn(actor, user.email)
  } else await requireFreshSignIn(actor)
  const passwordHash = await hashNewPassword(password, user)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: { passwordHash } })
    await tx.session.updateMany({
      where: { userId: actor.userId, revokedAt: null, id: { not: actor.sessionId } },
      data: { revokedAt: new Date() },
    })
    await endPendingChanges(tx, user)
    await recordEvent(tx, actor, {
      action: 'user.password_changed',
      resource: { type: 'user', id: actor.userId },
    })
  })
}
