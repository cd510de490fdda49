import { hashPassword, verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { requireFreshSignIn } from '../two-factor/require-password'
import { changePasswordInput } from './input'
import { type PasswordOwner, weaknessOf } from './password-strength'
import { countedSignIn, forgiveSignIn } from './sign-in'

/**
 * Hashes a password that somebody has just chosen: the one way in for all of them, so that none is taken unjudged.
 * See ADR 0034.
 * @param password of a length that `newPassword` takes
 * @param owner what is known of the person
 * @returns the hash to store
 * @throws AppError BAD_USER_INPUT on `password` when it is too easy to guess
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const weakness = await weaknessOf(password, owner)
  if (weakness) throw badInput('password', weakness)
  return hashPassword(password)
}

/** Whether the person has a password; one who only signs in through an identity provider has none. */
export async function hasPassword(actor: SessionActor): Promise<boolean> {
  const person = await prisma().user.findUnique({
    where: { id: actor.userId },
    select: { passwordHash: true },
  })
  return person?.passwordHash != null
}

/**
 * Changes the person's password, and ends every other session of theirs: whoever knew the old one is out. Guesses at
 * the present password count as tries to sign in.
 * @param input `current` (not asked of a person without a password, who must have signed in just now), `password`
 * @throws AppError BAD_USER_INPUT on `current` or `password`, FORBIDDEN (sign in again), RATE_LIMITED
 */
export async function changePassword(actor: SessionActor, input: unknown): Promise<void> {
  const { current, password } = parseInput(changePasswordInput, input)
  const person = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { name: true, email: true, passwordHash: true },
  })
  if (person.passwordHash) {
    const matches = await countedSignIn(actor.ip, person.email, () =>
      verifyPassword(person.passwordHash, current),
    )
    if (!matches) throw badInput('current', 'The current password is incorrect.')
    await forgiveSignIn(actor.ip, person.email)
  } else await requireFreshSignIn(actor)
  const passwordHash = await hashNewPassword(password, person)
  await prisma().$transaction(async (tx) => {
    await tx.user.update({ where: { id: actor.userId }, data: { passwordHash } })
    await tx.session.updateMany({
      where: { userId: actor.userId, revokedAt: null, id: { not: actor.sessionId } },
      data: { revokedAt: new Date() },
    })
    // A sign-in that was begun with the old password comes to nothing.
    await tx.pendingSignIn.deleteMany({ where: { userId: actor.userId } })
    await recordEvent(tx, actor, {
      action: 'user.password_changed',
      resource: { type: 'user', id: actor.userId },
    })
  })
}
