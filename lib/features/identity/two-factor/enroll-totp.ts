import { config } from '@/lib/base/config/env'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { type AttemptLimit, countAttempt, resetAttempts } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { lockPerson } from '@/lib/policy/hold'
import { endBegun, keepDemandedFactor, requireBegun } from '@/lib/policy/two-factor'
import { codeInput, matchTotp, newTotpSecret, passwordInput, replaceRecoveryCodes, totpUri } from './codes'
import {
  changeFactors,
  endWeakSessions,
  lockWaysIn,
  raiseSession,
  twoFactorMethods,
} from './two-factor-methods'

const nothingToConfirm = () => new AppError('CONFLICT', 'There is nothing to confirm. Start again.')

/** A key that waits for its code may be another's by now; nobody finds out by guessing. */
const firstCodeLimit: AttemptLimit = {
  name: 'first-code',
  points: 6,
  seconds: 900,
  message: 'Too many wrong codes. Wait 15 minutes, then try again.',
}

/** Who confirms a secret: the person what they began in a browser, a token what was handed to it. */
const begunBy = (actor: Actor): string | null => (actor.kind === 'account-token' ? actor.tokenId : null)

const event = (action: string, userId: string) => ({ action, resource: { type: 'user', id: userId } })

const passwordIn = (input: unknown) => parseInput(passwordInput, input)

/** What an authenticator app is given: the secret, base32, and the address that holds it. */
export type TotpKey = { secret: string; uri: string }

const keyOf = (secret: string, account: string): TotpKey => ({
  secret,
  uri: totpUri(secret, { issuer: config().serviceName, account }),
})

/**
 * Makes the secret for an authenticator app. It counts for nothing until `confirmTotp` has seen a code.
 * @param input `password`, in a session
 * @throws AppError CONFLICT when an app is set up already, and as `changeFactors`
 */
export async function beginTotp(actor: Actor, input: unknown): Promise<TotpKey> {
  const change = { name: 'authenticator-app:create', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })
    const secret = newTotpSecret()
    const sealed = Uint8Array.from(seal(secret, 'totp'))
    // One statement: of two at once the later one's secret is shown to both.
    const begun = await tx.$executeRaw`
      INSERT INTO totp_secrets (user_id, sealed, last_step, begun_by)
      VALUES (${userId}::uuid, ${sealed}, 0, ${begunBy(actor)}::uuid)
      ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, last_step = 0, begun_by = excluded.begun_by,
        created_at = excluded.created_at
      WHERE totp_secrets.confirmed_at IS NULL`
    if (begun === 0) {
      throw new AppError('CONFLICT', 'An authenticator app is already set up. Remove it first.')
    }
    await endBegun(tx, userId)
    const answer = keyOf(secret, email)
    // In a browser the person sees it themselves, and nothing has changed yet.
    return actor.kind === 'session' ? { answer } : { answer, event: event('two_factor.totp_started', userId) }
  })
}

/**
 * The secret that waits for its first code, for the page that shows it: one that was handed to a token is none of theirs.
 * @returns undefined when none does
 */
export async function pendingTotp(actor: SessionActor): Promise<TotpKey | undefined> {
  const row = await prisma().totpSecret.findUnique({
    where: { userId: actor.userId, confirmedAt: null, begunBy: null },
    include: { user: { select: { email: true } } },
  })
  return row ? keyOf(unseal(row.sealed, 'totp'), row.user.email) : undefined
}

/**
 * Takes the first code: from now on signing in takes one. Other sessions, started without a second factor, end. A token
 * confirms what it began itself, with its person's approval, and of that the session they approved it in goes on.
 * @param input `code`
 * @returns recovery codes, to be shown once; none when the person has some already
 * @throws AppError BAD_USER_INPUT on `code`, CONFLICT when nothing waits for a code, RATE_LIMITED for a token that guesses, and as
 *   `authorizeFactorChange`
 */
export async function confirmTotp(actor: Actor, input: unknown): Promise<{ recoveryCodes: string[] }> {
  authorizeFactorChange(actor)
  const { code } = parseInput(codeInput, input)
  const { userId } = actor
  if (actor.kind === 'account-token') await countAttempt(firstCodeLimit, actor.tokenId)
  const waiting = { userId, confirmedAt: null, begunBy: begunBy(actor) }
  const confirmed = await prisma().$transaction(async (tx) => {
    // A sign-in with the password alone that is under way is ended here, or finds the app set up.
    await lockPerson(tx, userId)
    const approvedIn = actor.kind === 'session' ? actor.sessionId : await requireBegun(tx, actor)
    const row = await tx.totpSecret.findUnique({ where: waiting })
    if (!row) throw nothingToConfirm()
    const step = matchTotp(unseal(row.sealed, 'totp'), code, row.lastStep)
    if (step === undefined) {
      throw badInput('code', 'This is not the current code. Check the clock of your phone.')
    }
    // Of two at once one confirms, so that nobody is shown recovery codes which the other has replaced.
    const { count } = await tx.totpSecret.updateMany({
      where: { ...waiting, sealed: row.sealed },
      data: { confirmedAt: new Date(), lastStep: step, begunBy: null },
    })
    if (count === 0) throw nothingToConfirm()
    if (actor.kind === 'session') await raiseSession(tx, actor, 'otp')
    else await endWeakSessions(tx, userId, approvedIn)
    await recordEvent(tx, actor, event('two_factor.totp_added', userId))
    const has = await tx.recoveryCode.count({ where: { userId } })
    return { recoveryCodes: has > 0 ? [] : await replaceRecoveryCodes(tx, userId) }
  })
  if (actor.kind === 'account-token') await resetAttempts(firstCodeLimit, actor.tokenId)
  return confirmed
}

/** Gives up setting an authenticator app up. */
export async function cancelTotp(actor: SessionActor): Promise<void> {
  await prisma().totpSecret.deleteMany({ where: { userId: actor.userId, confirmedAt: null } })
}

/**
 * Removes the authenticator app. With the last second factor go the recovery codes.
 * @param input `password`, in a session
 * @throws AppError as `keepDemandedFactor` and `changeFactors`
 */
export async function removeTotp(actor: Actor, input: unknown): Promise<void> {
  const change = { name: 'authenticator-app:delete', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    // Or two that are removed at once each see the other.
    await lockWaysIn(tx, userId)
    // A token is answered about the app that counts: what waits for a code is no app yet, and not its to give up.
    const counts = actor.kind === 'session' ? {} : { confirmedAt: { not: null } }
    const { count } = await tx.totpSecret.deleteMany({ where: { userId, ...counts } })
    if (count === 0) return { answer: undefined, unchanged: true }
    if (!(await twoFactorMethods(userId, tx)).enrolled) await removeLast(tx, userId)
    return { answer: undefined, event: event('two_factor.totp_removed', userId) }
  })
}

/**
 * Removes what goes with the last second factor.
 * @param tx the transaction that took it away, after `lockWaysIn`
 * @throws AppError as `keepDemandedFactor`
 */
export async function removeLast(tx: Db, userId: string): Promise<void> {
  keepDemandedFactor(
    await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { instanceAdmin: true } }),
  )
  await tx.recoveryCode.deleteMany({ where: { userId } })
}

/**
 * Makes ten new recovery codes; the old ones stop working.
 * @param input `password`, in a session
 * @throws AppError CONFLICT without a second factor, and as `changeFactors`
 */
export async function renewRecoveryCodes(actor: Actor, input: unknown): Promise<string[]> {
  const change = { name: 'recovery-codes:rotate', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    // Or they are made for a factor that is being removed, and stay without one.
    await lockWaysIn(tx, userId)
    const { enrolled } = await twoFactorMethods(userId, tx)
    if (!enrolled) throw new AppError('CONFLICT', 'Set up an authenticator app or a passkey first.')
    return {
      answer: await replaceRecoveryCodes(tx, userId),
      event: event('two_factor.recovery_codes_renewed', userId),
    }
  })
}
