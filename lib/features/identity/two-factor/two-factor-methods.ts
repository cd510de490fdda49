import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { type AuditRecord, recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { consumeFactorApproval, type FactorChange } from '@/lib/policy/two-factor'
import type { SignInMethod } from '../sessions/start-session'
import { requirePassword } from './require-password'

/** The two-factor methods of a user. See ADR 0029. */
export type TwoFactorMethods = {
  totp: boolean
  passkeys: number
  recoveryCodes: number
  /** Whether sign-in requires a second step. */
  enrolled: boolean
}

/**
 * Returns the two-factor methods of a user.
 * @param db the transaction that changes them
 * @throws AppError UNAUTHENTICATED if the user was deleted
 */
export async function twoFactorMethods(userId: string, db: Db = prisma()): Promise<TwoFactorMethods> {
  const [found] = await db.$queryRaw<Omit<TwoFactorMethods, 'enrolled'>[]>`
    SELECT EXISTS (SELECT FROM totp_secrets WHERE user_id = u.id AND confirmed_at IS NOT NULL) AS totp,
           (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS passkeys,
           (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS "recoveryCodes"
      FROM users u WHERE u.id = ${userId}::uuid`
  if (!found) throw new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
  return { ...found, enrolled: found.totp || found.passkeys > 0 }
}

/**
 * Serializes changes to the sign-in methods of a user, so that of two concurrent removals the second sees the result of the
 * first. Call it first in the transaction.
 */
export const lockSignInMethods = async (tx: Db, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`
}

/**
 * Records on the session that the user just proved a second factor by setting it up, and ends their other sessions, which
 * were started without one.
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
  await endSessionsWithoutTwoFactor(tx, actor.userId, actor.sessionId)
}

/**
 * Ends the user's sessions that were started without two-factor authentication.
 * @param kept the session that continues, because the user just proved their identity in it
 */
export async function endSessionsWithoutTwoFactor(tx: Db, userId: string, kept: string): Promise<void> {
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

/** The result of a change, and its event. */
type Changed<Answer> = {
  answer: Answer
  event?: AuditRecord
  /** Whether nothing changed, so that no approval is needed. */
  unchanged?: boolean
}

/**
 * Changes the account's security after the user confirms it: with the password in a session, or for a token with an approval
 * of this very change in a browser, which is then used up.
 * See ADR 0015.
 * @param change with the `password` typed in a session; if omitted, none is required there
 * @param work the change, called again after a deadlock; its event is recorded last, because recording it emails the user
 * @throws AppError as `requirePassword`, `authorizeFactorChange` and `consumeFactorApproval`
 */
export async function changeFactors<Answer>(
  actor: Actor,
  change: FactorChange & { password?: string },
  work: (tx: Db, userId: string) => Promise<Changed<Answer>>,
): Promise<Answer> {
  authorizeFactorChange(actor)
  if (actor.kind === 'session' && change.password !== undefined) {
    await requirePassword(actor, change.password)
  }
  return inTransaction(async (tx) => {
    const { answer, event, unchanged } = await work(tx, actor.userId)
    if (actor.kind !== 'session' && !unchanged) await consumeFactorApproval(tx, actor, change)
    if (event) await recordEvent(tx, actor, event)
    return answer
  })
}
