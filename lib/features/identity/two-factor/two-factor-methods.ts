import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { type AuditRecord, recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { type FactorChange, spendApproval } from '@/lib/policy/two-factor'
import type { SignInMethod } from '../sessions/start-session'
import { requirePassword } from './require-password'

/** What a person has set up beyond the password. See ADR 0036. */
export type TwoFactorMethods = {
  totp: boolean
  passkeys: number
  recoveryCodes: number
  /** Whether signing in takes a second step. */
  enrolled: boolean
}

/**
 * @param userId whose
 * @param db the transaction in which they change
 */
export async function twoFactorMethods(userId: string, db: Db = prisma()): Promise<TwoFactorMethods> {
  const person = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      totp: { select: { confirmedAt: true } },
      _count: { select: { passkeys: true, recoveryCodes: true } },
    },
  })
  const totp = person.totp?.confirmedAt != null
  const { passkeys, recoveryCodes } = person._count
  return { totp, passkeys, recoveryCodes, enrolled: totp || passkeys > 0 }
}

/**
 * Has whoever takes ways in away from a person, or makes what goes with the last of them, wait for each other: of two at once the
 * second sees what the first left. It comes first in the transaction.
 */
export const lockWaysIn = async (tx: Db, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR UPDATE`
}

/**
 * Notes on the session that its person has just shown a second factor by setting it up, and ends their other sessions,
 * which were started without one.
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
  await endWeakSessions(tx, actor.userId, actor.sessionId)
}

/**
 * Ends the sessions of a person that were started without a second factor.
 * @param kept goes on as it is: in it the person has just shown who they are
 */
export async function endWeakSessions(tx: Db, userId: string, kept: string): Promise<void> {
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

/** What came of a change: its answer, and what is to be recorded of it. */
type Changed<Answer> = {
  answer: Answer
  event?: AuditRecord
  /** There was nothing to change, so that nobody has to approve it. */
  unchanged?: boolean
}

/**
 * Changes what guards an account once it is certain that its person wants that: who sits at a session gives the password, and for
 * a token they have approved this very change in a browser, which is used up with it.
 * See ADR 0019.
 * @param change with the `password` that was typed in a session; without, it takes none there
 * @param work the change, called again where PostgreSQL ended it to undo a deadlock; its event is recorded once it is certain, since the person is mailed about it
 * @throws AppError as `requirePassword`, `authorizeFactorChange` and `spendApproval`
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
    if (actor.kind !== 'session' && !unchanged) await spendApproval(tx, actor, change)
    if (event) await recordEvent(tx, actor, event)
    return answer
  })
}
