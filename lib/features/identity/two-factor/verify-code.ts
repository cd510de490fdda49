import { unseal } from '@/lib/base/credentials/seal'
import { type AttemptLimit, countAttempt, resetAttempts } from '@/lib/base/db/limits'
import { type Db, inTransaction } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { loggedAddress } from '@/lib/base/http/client-address'
import type { Visitor } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import { codeInput, matchTotp, spendRecoveryCode } from './codes'
import { type CompletedSignIn, completeSecondStep, requirePendingSignIn } from './pending-sign-in'

/**
 * The limit on a user's attempts at the second step. At this rate, someone who completed the first step needs
 * years to guess six digits.
 */
export const secondStepLimit: AttemptLimit = {
  name: 'second-step',
  points: 6,
  seconds: 900,
  message: 'Too many wrong codes. Wait 15 minutes, then sign in again.',
}

/**
 * Completes the second step of a sign-in with a code from the authenticator app or a recovery code. Records
 * an event if a recovery code is used.
 * @param token the value of the pending sign-in's cookie
 * @param input `code`
 * @returns the data for starting the session
 * @throws AppError UNAUTHENTICATED (the user must start the sign-in again), BAD_USER_INPUT on `code`,
 * RATE_LIMITED
 */
export async function verifyCode(
  visitor: Visitor,
  token: string | undefined,
  input: unknown,
): Promise<CompletedSignIn> {
  const pending = await requirePendingSignIn(token)
  const { code } = parseInput(codeInput, input)
  const { userId } = pending
  await countAttempt(secondStepLimit, userId)
  const result = await inTransaction(async (tx) => {
    const byApp = await takeTotp(tx, userId, code)
    if (!byApp && !(await spendRecoveryCode(tx, userId, code))) {
      log.info('a sign-in was refused', {
        method: 'second step',
        reason: 'wrong code',
        client: loggedAddress(visitor.ip),
      })
      throw badInput('code', 'This code is incorrect or was already used.')
    }
    if (!byApp) {
      await recordEvent(
        tx,
        { kind: 'system', userId, ...visitor },
        { action: 'two_factor.recovery_code_used', resource: { type: 'user', id: userId } },
      )
    }
    return completeSecondStep(tx, token, pending, 'otp')
  })
  await resetAttempts(secondStepLimit, userId)
  return result
}

/**
 * Redeems a code from the authenticator app and returns whether it was valid. The stored time step of the
 * last code ensures that only one of two concurrent uses succeeds.
 */
async function takeTotp(tx: Db, userId: string, code: string): Promise<boolean> {
  const row = await tx.totpSecret.findUnique({ where: { userId, confirmedAt: { not: null } } })
  const step = row ? matchTotp(unseal(row.sealed, 'totp'), code, row.lastStep) : undefined
  if (step === undefined) return false
  const { count } = await tx.totpSecret.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step },
  })
  return count === 1
}
