import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { type AuditRecord, recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { consumeFactorApproval, type FactorChange } from '@/lib/policy/two-factor'
import type { SignInMethod } from '../sessions/start-session'
import { requirePassword } from './require-password'

/** A user's two-factor methods. See ADR 0029. */
export type TwoFactorMethods = {
  totp: boolean
  passkeys: number
  recoveryCodes: number
  /** Whether sign-in requires a second step. */
  enrolled: boolean
}

/**
 * Returns a user's two-factor methods.
 * @param db the transaction, if the caller is changing the methods
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
 * Serializes changes to a user's sign-in methods, so that the second of two concurrent removals sees the result of the first.
 * Call this function first in a transaction.
 */
export const lockSignInMethods = async (tx: Db, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`
}

/**
 * Marks the session as two-factor, because the user just set up a second factor in it. Ends the user's other sessions that
 * were started without two-factor authentication.
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

/** The result of a change and its audit event. */
type Changed<Answer> = {
  answer: Answer
  event?: AuditRecord
  /** Whether nothing changed. In this case, no approval is needed. */
  unchanged?: boolean
}

/**
 * Changes the account's security after the user confirms the change. In a session, the user confirms with the password. For a
 * token, the user approves exactly this change in a browser, and each approval can be used only once. See ADR 0015.
 * @param change the change, with the `password` that the user entered in a session. If `password` is omitted, the change
 * needs no confirmation in a session.
 * @param work makes the change, and is called again after a deadlock. The change's event is recorded last, because recording
 * an event emails the user.
 * @throws the errors of `requirePassword`, `authorizeFactorChange`, and `consumeFactorApproval`
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
