import { config } from '@/lib/base/config/env'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { keepDemandedFactor } from '@/lib/policy/two-factor'
import { codeInput, passwordInput } from './input'
import { lockWaysIn } from './lock-ways-in'
import { raiseSession } from './raise-session'
import { replaceRecoveryCodes } from './recovery-codes'
import { requirePassword } from './require-password'
import { matchTotp, newTotpSecret, totpUri } from './totp'

const nothingToConfirm = () => new AppError('CONFLICT', 'There is nothing to confirm. Start again.')

const event = (action: string, userId: string) => ({ action, resource: { type: 'user', id: userId } })

/**
 * Makes the secret for an authenticator app. It counts for nothing until `confirmTotp` has seen a code.
 * @param input `password`
 * @throws AppError CONFLICT when an app is set up already, and as `requirePassword`
 */
export async function beginTotp(actor: SessionActor, input: unknown): Promise<void> {
  await requirePassword(actor, parseInput(passwordInput, input).password)
  const sealed = Uint8Array.from(seal(newTotpSecret(), 'totp'))
  // One statement: of two at once the later one's secret is shown to both.
  const begun = await prisma().$executeRaw`
    INSERT INTO totp_secrets (user_id, sealed, last_step) VALUES (${actor.userId}::uuid, ${sealed}, 0)
    ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, last_step = 0, created_at = excluded.created_at
    WHERE totp_secrets.confirmed_at IS NULL`
  if (begun === 0) {
    throw new AppError('CONFLICT', 'An authenticator app is set up already. Remove it first.')
  }
}

/**
 * The secret that waits for its first code, for the page that shows it.
 * @returns undefined when none does
 */
export async function pendingTotp(actor: SessionActor): Promise<{ secret: string; uri: string } | undefined> {
  const row = await prisma().totpSecret.findUnique({
    where: { userId: actor.userId, confirmedAt: null },
    include: { user: { select: { email: true } } },
  })
  if (!row) return undefined
  const secret = unseal(row.sealed, 'totp')
  return { secret, uri: totpUri(secret, { issuer: config().SERVICE_NAME, account: row.user.email }) }
}

/**
 * Takes the first code: from now on signing in takes one. Other sessions, started without a second factor, end.
 * @param input `code`
 * @returns recovery codes, to be shown once; none when the person has some already
 * @throws AppError BAD_USER_INPUT on `code`, CONFLICT when nothing waits for a code
 */
export async function confirmTotp(actor: SessionActor, input: unknown): Promise<{ recoveryCodes: string[] }> {
  const { code } = parseInput(codeInput, input)
  return prisma().$transaction(async (tx) => {
    const row = await tx.totpSecret.findUnique({ where: { userId: actor.userId, confirmedAt: null } })
    if (!row) throw nothingToConfirm()
    const step = matchTotp(unseal(row.sealed, 'totp'), code, row.lastStep)
    if (step === undefined) {
      throw badInput('code', 'This is not the current code. Check that the clock of your phone is right.')
    }
    // Of two at once one confirms, so that nobody is shown recovery codes which the other has replaced.
    const { count } = await tx.totpSecret.updateMany({
      where: { userId: actor.userId, sealed: row.sealed, confirmedAt: null },
      data: { confirmedAt: new Date(), lastStep: step },
    })
    if (count === 0) throw nothingToConfirm()
    await raiseSession(tx, actor, 'otp')
    await recordEvent(tx, actor, event('two_factor.totp_added', actor.userId))
    const has = await tx.recoveryCode.count({ where: { userId: actor.userId } })
    return { recoveryCodes: has > 0 ? [] : await replaceRecoveryCodes(tx, actor.userId) }
  })
}

/** Gives up setting an authenticator app up. */
export async function cancelTotp(actor: SessionActor): Promise<void> {
  await prisma().totpSecret.deleteMany({ where: { userId: actor.userId, confirmedAt: null } })
}

/**
 * Removes the authenticator app. With the last second factor go the recovery codes.
 * @param input `password`
 * @throws AppError as `keepDemandedFactor` and `requirePassword`
 */
export async function removeTotp(actor: SessionActor, input: unknown): Promise<void> {
  await requirePassword(actor, parseInput(passwordInput, input).password)
  const { userId } = actor
  await prisma().$transaction(async (tx) => {
    // Or two that are removed at once each see the other.
    await lockWaysIn(tx, userId)
    const { count } = await tx.totpSecret.deleteMany({ where: { userId } })
    if (count === 0) return
    if ((await tx.passkey.count({ where: { userId } })) === 0) {
      keepDemandedFactor(actor)
      await tx.recoveryCode.deleteMany({ where: { userId } })
    }
    await recordEvent(tx, actor, event('two_factor.totp_removed', userId))
  })
}

/**
 * Makes ten new recovery codes; the old ones stop working.
 * @param input `password`
 * @throws AppError CONFLICT without a second factor, and as `requirePassword`
 */
export async function renewRecoveryCodes(actor: SessionActor, input: unknown): Promise<string[]> {
  await requirePassword(actor, parseInput(passwordInput, input).password)
  const { userId } = actor
  return prisma().$transaction(async (tx) => {
    const factors =
      (await tx.totpSecret.count({ where: { userId, confirmedAt: { not: null } } })) +
      (await tx.passkey.count({ where: { userId } }))
    if (factors === 0) throw new AppError('CONFLICT', 'Set up an authenticator app or a passkey first.')
    await recordEvent(tx, actor, event('two_factor.recovery_codes_renewed', userId))
    return replaceRecoveryCodes(tx, userId)
  })
}
