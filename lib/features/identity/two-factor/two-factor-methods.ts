import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { type AuditRecord, recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { holdSession } from '@/lib/policy/lock-role'
import { consumeFactorApproval, type FactorChange } from '@/lib/policy/two-factor'
import type { SignInMethod } from '../sessions/start-session'
import { requirePassword } from './require-password'

/** A user's two-factor methods. See ADR 0029. */
export type TwoFactorMethods = {
  totp: boolean
  passkeys: number
  recoveryCodes: number
  /**
   * Whether the user has an authenticator app or a passkey. A sign-in with only one factor then requires a
   * second step.
   */
  enrolled: boolean
}

/**
 * Returns which two-factor methods a user has, with the numbers of passkeys and recovery codes.
 * @param db the transaction to read in, if the caller is in a transaction
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
 * Locks the user's row until the transaction ends. As a result, changes to the user's sign-in methods run one
 * after another, and the second of two concurrent removals sees the result of the first. Call this function
 * first in a transaction.
 */
export const lockSignInMethods = async (tx: Db, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`
}

/**
 * Adds a sign-in method and `mfa` to the session's methods, because the user just set up a second factor in
 * this session. Ends the user's other sessions that are not marked as two-factor (`mfa`).
 * @throws AppError UNAUTHENTICATED if the session was revoked in the meantime
 */
export async function raiseSession(tx: Db, actor: SessionActor, method: SignInMethod): Promise<void> {
  await holdSession(tx, actor)
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
 * Ends all sessions of the user that are not marked as two-factor (`mfa`), except one.
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

/** The result of a change and, if the change is recorded, its audit event. */
type Changed<Answer> = {
  answer: Answer
  event?: AuditRecord
  /** Whether nothing changed. In this case, a token needs no approval. */
  unchanged?: boolean
}

/**
 * Changes the account's security in a transaction, if the user confirms the change. In a session, the user
 * confirms with the password or a recent sign-in. For a token, the user approves exactly this change in a
 * browser, and each approval can be used only once. See ADR 0015.
 * @param change the change, with the `password` that the user entered in a session. If `password` is omitted,
 * the change needs no confirmation in a session.
 * @param work makes the change and returns its result and event. It is called before the approval is used,
 * and is called again after a deadlock.
 * @throws the errors of `requirePassword`, `authorizeFactorChange`, `consumeFactorApproval`, and `work`
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
