import { config } from '@/lib/base/config/env'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, resetAttempts } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AccountTokenActor, Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeFactorChange } from '@/lib/policy/authorize'
import { lockUser } from '@/lib/policy/lock-role'
import {
  endStartedSetups,
  finishMinutes,
  requireFactorNotDemanded,
  requireSetupStarted,
} from '@/lib/policy/two-factor'
import { codeInput, matchTotp, newTotpSecret, passwordInput, replaceRecoveryCodes, totpUri } from './codes'
import {
  changeFactors,
  endSessionsWithoutTwoFactor,
  lockSignInMethods,
  raiseSession,
  twoFactorMethods,
} from './two-factor-methods'

const nothingToConfirm = () =>
  new AppError('CONFLICT', 'No authenticator app setup is in progress. Start the setup again.')

/**
 * The limit on a token's attempts to finish a setup with the first code. Without this limit, a caller with
 * the token but without the pending secret could guess a code.
 */
const firstCodeLimit: AttemptLimit = {
  name: 'first-code',
  points: 6,
  seconds: 900,
  message: 'Too many wrong codes. Wait 15 minutes, then try again.',
}

/** Returns the ID of the session or account token that starts a setup, or null for other actors. */
function begunBy(actor: Actor): string | null {
  if (actor.kind === 'session') return actor.sessionId
  return actor.kind === 'account-token' ? actor.tokenId : null
}

/**
 * Returns the filter for a setup that this session or token started in the last `finishMinutes` minutes. The
 * user confirmed only this session or token. Without this filter, anyone with access to a later session could
 * finish an abandoned setup without the password.
 */
const begunLately = (actor: SessionActor | AccountTokenActor) => ({
  userId: actor.userId,
  confirmedAt: null,
  begunBy: begunBy(actor),
  createdAt: { gt: new Date(databaseNow() - finishMinutes * 60_000) },
})

const event = (action: string, userId: string) => ({ action, resource: { type: 'user', id: userId } })

const passwordIn = (input: unknown) => parseInput(passwordInput, input)

/** The key for an authenticator app: the secret in base32 and the URI that contains the secret. */
export type TotpKey = { secret: string; uri: string }

const keyOf = (secret: string, account: string): TotpKey => ({
  secret,
  uri: totpUri(secret, { issuer: config().serviceName, account }),
})

/**
 * Creates the secret for an authenticator app, and replaces a pending secret. The new secret has no effect
 * until `confirmTotp` accepts a code. Setups that the user's sessions and tokens started earlier can no
 * longer be finished.
 * @param input `password`, which `changeFactors` checks in a session
 * @throws AppError CONFLICT if an authenticator app is already set up, and the errors of `changeFactors`
 */
export async function beginTotp(actor: Actor, input: unknown): Promise<TotpKey> {
  const change = { name: 'authenticator-app:create', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })
    const secret = newTotpSecret()
    const sealed = Uint8Array.from(seal(secret, 'totp'))
    // Insert the secret or replace the pending one in a single statement, so that neither of two concurrent
    // calls fails. The statement changes nothing if an authenticator app is already set up.
    const begun = await tx.$executeRaw`
      INSERT INTO totp_secrets (user_id, sealed, last_step, begun_by)
      VALUES (${userId}::uuid, ${sealed}, 0, ${begunBy(actor)}::uuid)
      ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, last_step = 0, begun_by = excluded.begun_by,
        created_at = excluded.created_at
      WHERE totp_secrets.confirmed_at IS NULL`
    if (begun === 0) {
      throw new AppError('CONFLICT', 'An authenticator app is already set up. Remove it first.')
    }
    await endStartedSetups(tx, userId)
    const answer = keyOf(secret, email)
    // Only a token's call is recorded. In a session, only the user sees the secret, and sign-in has not
    // changed yet.
    return actor.kind === 'session' ? { answer } : { answer, event: event('two_factor.totp_started', userId) }
  })
}

/**
 * Returns the user's pending secret and its URI, for the setup page. A secret is pending until the user
 * confirms it with a first code. Excludes a secret that another session or a token created, and a secret
 * that is older than `finishMinutes` minutes.
 * @returns undefined if no such secret exists
 */
export async function pendingTotp(actor: SessionActor): Promise<TotpKey | undefined> {
  const row = await prisma().totpSecret.findUnique({
    where: begunLately(actor),
    include: { user: { select: { email: true } } },
  })
  return row ? keyOf(unseal(row.sealed, 'totp'), row.user.email) : undefined
}

/**
 * Finishes the setup of an authenticator app with its first code. Sign-in then requires a second step. If the
 * actor is a session, marks the session as two-factor. Ends the user's other sessions that are not marked as
 * two-factor. A session or token can confirm only a setup that it started itself in the last `finishMinutes`
 * minutes, a token only with the user's approval. The session in which the user gave this approval does not
 * end. Creates recovery codes if the user has none.
 * @param input `code`
 * @returns the new recovery codes, which are shown only once. Empty if the user already has recovery codes.
 * @throws AppError BAD_USER_INPUT on `code`, CONFLICT if no setup of this session or token is pending,
 * RATE_LIMITED if a token guesses too often, and the errors of `authorizeFactorChange`
 */
export async function confirmTotp(actor: Actor, input: unknown): Promise<{ recoveryCodes: string[] }> {
  authorizeFactorChange(actor)
  const { code } = parseInput(codeInput, input)
  const { userId } = actor
  if (actor.kind === 'account-token') await countAttempt(firstCodeLimit, actor.tokenId)
  const waiting = begunLately(actor)
  const confirmed = await prisma().$transaction(async (tx) => {
    // Lock the user, so that concurrent sign-ins wait. A sign-in that waits and has used only one factor then
    // fails, because it finds the new authenticator app. If such a sign-in started its session before the
    // lock, the session is ended below.
    await lockUser(tx, userId)
    const approvedIn = actor.kind === 'session' ? actor.sessionId : await requireSetupStarted(tx, actor)
    const row = await tx.totpSecret.findUnique({ where: waiting })
    if (!row) throw nothingToConfirm()
    const step = matchTotp(unseal(row.sealed, 'totp'), code, row.lastStep)
    if (step === undefined) {
      throw badInput('code', 'This is not the current code. Check that your phone’s clock is correct.')
    }
    // Confirm only the secret that was read above. A concurrent `beginTotp` could have replaced this secret
    // with one to which the code does not belong.
    const { count } = await tx.totpSecret.updateMany({
      where: { ...waiting, sealed: row.sealed },
      data: { confirmedAt: new Date(), lastStep: step, begunBy: null },
    })
    if (count === 0) throw nothingToConfirm()
    if (actor.kind === 'session') await raiseSession(tx, actor, 'otp')
    else await endSessionsWithoutTwoFactor(tx, userId, approvedIn)
    await recordEvent(tx, actor, event('two_factor.totp_added', userId))
    const has = await tx.recoveryCode.count({ where: { userId } })
    return { recoveryCodes: has > 0 ? [] : await replaceRecoveryCodes(tx, userId) }
  })
  if (actor.kind === 'account-token') await resetAttempts(firstCodeLimit, actor.tokenId)
  return confirmed
}

/**
 * Cancels a pending setup of an authenticator app, even if a token started it. Does nothing if no setup is
 * pending.
 */
export async function cancelTotp(actor: SessionActor): Promise<void> {
  await prisma().totpSecret.deleteMany({ where: { userId: actor.userId, confirmedAt: null } })
}

/**
 * Removes the authenticator app, if there is one. Does not cancel a pending setup. Removing the last
 * two-factor method also removes the recovery codes.
 * @param input `password`, which `changeFactors` checks in a session
 * @throws the errors of `requireFactorNotDemanded` and `changeFactors`
 */
export async function removeTotp(actor: Actor, input: unknown): Promise<void> {
  const change = { name: 'authenticator-app:delete', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    // Lock the user's sign-in methods, because two concurrent removals could otherwise each find the other
    // method and both skip `removeLast`.
    await lockSignInMethods(tx, userId)
    // Keep a pending secret, which is not a two-factor method. `cancelTotp` deletes it.
    const { count } = await tx.totpSecret.deleteMany({ where: { userId, confirmedAt: { not: null } } })
    if (count === 0) return { answer: undefined, unchanged: true }
    if (!(await twoFactorMethods(userId, tx)).enrolled) await removeLast(tx, userId)
    return { answer: undefined, event: event('two_factor.totp_removed', userId) }
  })
}

/**
 * Removes the user's recovery codes. Call this function after the last two-factor method was removed.
 * @param tx the transaction that called `lockSignInMethods` and removed the method
 * @throws the errors of `requireFactorNotDemanded`, if the user must keep a two-factor method
 */
export async function removeLast(tx: Db, userId: string): Promise<void> {
  requireFactorNotDemanded(
    await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { instanceAdmin: true } }),
  )
  await tx.recoveryCode.deleteMany({ where: { userId } })
}

/**
 * Replaces the user's recovery codes with ten new ones. The old codes stop working.
 * @param input `password`, which `changeFactors` checks in a session
 * @returns the new codes, which are shown only once
 * @throws AppError CONFLICT if the user has no two-factor method, and the errors of `changeFactors`
 */
export async function renewRecoveryCodes(actor: Actor, input: unknown): Promise<string[]> {
  const change = { name: 'recovery-codes:rotate', ...passwordIn(input) } as const
  return changeFactors(actor, change, async (tx, userId) => {
    // Lock the user's sign-in methods. Otherwise, a concurrent call could remove the last method, and the new
    // codes would remain without a method.
    await lockSignInMethods(tx, userId)
    const { enrolled } = await twoFactorMethods(userId, tx)
    if (!enrolled) throw new AppError('CONFLICT', 'Set up an authenticator app or a passkey first.')
    return {
      answer: await replaceRecoveryCodes(tx, userId),
      event: event('two_factor.recovery_codes_renewed', userId),
    }
  })
}
