import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { AccountTokenActor, Actor } from './actor'

/** Whether a browser session can open a workspace; if not, what the user must do. See ADR 0029. */
export type TwoFactorGate = 'open' | 'set-up' | 'sign-in-again'

/** Whether a session, or a token created in it, used two factors: its methods then contain `mfa` (RFC 8176). */
export const hasTwoFactors = (methods: readonly string[]): boolean => methods.includes('mfa')

/**
 * Returns what a user in a browser session must do before opening a workspace that requires two-factor
 * authentication.
 * @param session how the user signed in
 * @param enrolled whether the user has set up two-factor authentication
 */
export function twoFactorGate(
  workspace: { requireTwoFactor: boolean },
  session: { methods: readonly string[] },
  enrolled: boolean,
): TwoFactorGate {
  if (!workspace.requireTwoFactor || hasTwoFactors(session.methods)) return 'open'
  return enrolled ? 'sign-in-again' : 'set-up'
}

/**
 * Whether workspaces that require two-factor authentication are closed to an actor: a session without it, or
 * a token from one.
 */
export const lacksTwoFactor = (actor: Actor): boolean => !actor.twoFactor

/**
 * @throws AppError FORBIDDEN if the workspace requires two-factor authentication and the actor did not use it
 */
export function authorizeTwoFactor(actor: Actor, workspace: { requireTwoFactor: boolean }): void {
  if (workspace.requireTwoFactor && lacksTwoFactor(actor)) {
    throw new AppError('FORBIDDEN', `This workspace requires two-factor authentication. ${remedy(actor)}`)
  }
}

/** What the user is about to do: any action, or one for instance admins. */
type Purpose = 'anything' | 'operating'

/**
 * Whether an actor still has to show the second factor that the instance requires (requireTwoFactor): of instance admins for
 * instance administration, or of everyone for everything. A token is as strong as the session that created it.
 * See ADR 0029.
 */
export function owesTwoFactor(actor: Actor, purpose: Purpose): boolean {
  const { requireTwoFactor: of } = config()
  return lacksTwoFactor(actor) && (of === 'all' || (of === 'instance-admins' && purpose === 'operating'))
}

/** @throws AppError TWO_FACTOR_REQUIRED if `owesTwoFactor`, with what to do */
export function requireTwoFactor(actor: Actor, purpose: Purpose): void {
  if (owesTwoFactor(actor, purpose)) {
    throw new AppError(
      'TWO_FACTOR_REQUIRED',
      `This instance requires two-factor authentication. ${remedy(actor)}`,
    )
  }
}

/**
 * Rejects the removal of the last method of a user who must use two-factor authentication.
 * @param user the current user of the account, regardless of the actor
 * @throws AppError CONFLICT
 */
export function requireFactorNotDemanded({ instanceAdmin }: { instanceAdmin: boolean }): void {
  const { requireTwoFactor: of } = config()
  if (of === 'all' || (of === 'instance-admins' && instanceAdmin)) {
    throw new AppError(
      'CONFLICT',
      'This instance requires two-factor authentication, and this is your last method. Add another one before you remove it.',
    )
  }
}

function remedy({ kind }: Actor): string {
  if (kind === 'session') return 'Set it up under Account > Security, then sign in with it.'
  return kind === 'oauth'
    ? 'Sign in with it, then authorize the app again.'
    : 'The session that created this token did not use it. Sign in with it, then create a new token.'
}

/**
 * A change of how a user signs in that an account token can make, once the user has approved exactly that change in a browser.
 * The token alone is not enough, because it proves nothing about who holds it now.
 * See ADR 0015.
 */
type FactorChangeName = keyof typeof factorChanges

/** Each change with what the approval page says about it: what the token wants to do, and what that means. */
const factorChanges = {
  'passkey:rename': {
    wants: 'Rename a passkey',
    means: 'You can still sign in with it, under the new name.',
  },
  'passkey:delete': {
    wants: 'Remove a passkey',
    means:
      'You can no longer sign in with it. If it is your last two-factor method, your password alone is enough to sign in, and your recovery codes are deleted.',
  },
  'authenticator-app:create': {
    wants: 'Set up an authenticator app',
    means:
      'Anyone with the token gets the key of the authenticator app and can use its codes for two-factor authentication. If you have no recovery codes, they get new ones too. Your other sessions that did not use two-factor authentication are signed out.',
  },
  'authenticator-app:delete': {
    wants: 'Remove the authenticator app',
    means:
      'Its codes no longer work. If it is your last two-factor method, your password alone is enough to sign in, and your recovery codes are deleted.',
  },
  'recovery-codes:rotate': {
    wants: 'Create new recovery codes',
    means:
      'Your current codes stop working. Anyone with the token gets the new ones, and can use each once instead of your two-factor method.',
  },
} as const

/** Returns the text of the approval page for a change; for a change of a later release, its name. */
export const describeChange = (name: string): { wants: string; means: string } =>
  isChange(name) ? factorChanges[name] : { wants: name, means: '' }

/** Whether this release knows a change. */
export const isChange = (name: string): name is FactorChangeName => Object.hasOwn(factorChanges, name)

/** A change, with its passkey and the passkey's new name. */
export type FactorChange = { name: FactorChangeName; passkeyId?: string; wanted?: string }

/** How long after a denial no token of the user can request a change, in minutes. */
export const refusedMinutes = 10

/** Per user: a denial outlives the token that asked, which the user might revoke, and covers the tokens it created. */
const refusalKey = (userId: string) => `factor-change-denied:${userId}`

/**
 * Notes that a user denied a change: no change can be requested for a while, and the changes they approved before are withdrawn,
 * because someone who finds an unwanted request trusts none of them. Call it in the transaction of the denial.
 */
export async function recordDenial(tx: Db, userId: string): Promise<void> {
  const key = refusalKey(userId)
  const until = { points: 1, expire: databaseNow() + refusedMinutes * 60_000 }
  await tx.rateLimit.upsert({ where: { key }, create: { key, ...until }, update: until })
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND state = 'APPROVED' AND valid_until > now()`
}

/** How long a change in two steps can be finished after its approval was used, in minutes. */
const finishMinutes = 15

/**
 * Uses up the user's approval of this change by this token from this address. The approval works once and ends with the session
 * in which it was given. Call it in the transaction of the change, so that neither happens without the other, after all other
 * checks.
 * @throws AppError APPROVAL_REQUIRED (the edge opens an approval request), FORBIDDEN (the user just denied a change)
 */
export async function consumeFactorApproval(
  tx: Db,
  actor: AccountTokenActor,
  change: FactorChange,
): Promise<void> {
  const { userId, tokenId, ip = null } = actor
  const { name, passkeyId = '', wanted = '' } = change
  const used = await tx.$executeRaw`
    UPDATE factor_asks SET used_at = now(), valid_until = now() + make_interval(mins => ${finishMinutes}::int)
     WHERE token_id = ${tokenId}::uuid AND user_id = ${userId}::uuid
       AND change = ${name} AND factor_id = ${passkeyId} AND wanted = ${wanted}
       AND ip IS NOT DISTINCT FROM ${ip}::text AND state = 'APPROVED' AND used_at IS NULL AND valid_until > now()
       AND EXISTS (SELECT FROM sessions s WHERE s.id = approved_in AND s.revoked_at IS NULL)`
  if (used > 0) return
  const about = {
    permission: name,
    resource: passkeyId ? { type: 'passkey', id: passkeyId } : { type: 'user', id: userId },
  }
  if (await tx.rateLimit.findFirst({ where: { key: refusalKey(userId), expire: { gt: databaseNow() } } })) {
    throw new AppError(
      'FORBIDDEN',
      `The user denied a change of two-factor authentication. You can request it again ${refusedMinutes} minutes later.`,
      { ...about, reason: 'denied' },
    )
  }
  throw new AppError(
    'APPROVAL_REQUIRED',
    'This requires the user’s approval. Open the approval page, then send the same request again.',
    {
      ...about,
      ...(wanted && { wanted }),
    },
  )
}

/** The change that takes two steps, of which the user approves the first. */
const setUp: FactorChangeName = 'authenticator-app:create'

/**
 * Requires that this token began to set up the authenticator app that waits for its first code. The approval of the first step
 * covers the second one of the same token.
 * @returns the session in which it was approved
 * @throws AppError CONFLICT
 */
export async function requireSetupStarted(tx: Db, { userId, tokenId }: AccountTokenActor): Promise<string> {
  const [begun] = await tx.$queryRaw<{ approvedIn: string }[]>`
    SELECT approved_in AS "approvedIn" FROM factor_asks
     WHERE token_id = ${tokenId}::uuid AND user_id = ${userId}::uuid AND change = ${setUp}
       AND used_at IS NOT NULL AND valid_until > now()
       AND EXISTS (SELECT FROM sessions s WHERE s.id = approved_in AND s.revoked_at IS NULL)`
  if (begun) return begun.approvedIn
  throw new AppError(
    'CONFLICT',
    `This token has not started to set up an authenticator app within the last ${finishMinutes} minutes. Start again.`,
  )
}

/** Ends the setups that tokens of a user began, because another one begins: only that one can be finished. */
export async function endStartedSetups(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND change = ${setUp} AND used_at IS NOT NULL AND valid_until > now()`
}
