import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { AccountTokenActor, Actor } from './actor'

/** Whether a browser session can open a workspace and, if not, what the user must do. See ADR 0029. */
export type TwoFactorGate = 'open' | 'set-up' | 'sign-in-again'

/**
 * Returns whether authentication methods include two-factor authentication, which is reported as `mfa` (RFC
 * 8176).
 * @param methods the methods of a session, of the session that created a token, or of an identity provider's
 * sign-in
 */
export const hasTwoFactors = (methods: readonly string[]): boolean => methods.includes('mfa')

/**
 * Returns whether a user in a browser session can open a workspace and, if the workspace requires two-factor
 * authentication that the session lacks, what the user must do first.
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
 * Returns whether an actor cannot access workspaces that require two-factor authentication. This is the case
 * for a session without two-factor authentication, for a token that was created in such a session, and for an
 * app that was authorized in such a session.
 */
export const lacksTwoFactor = (actor: Pick<Actor, 'twoFactor'>): boolean => !actor.twoFactor

/**
 * Requires two-factor authentication if the workspace requires it. @throws AppError FORBIDDEN if it was not
 * used
 */
export function authorizeTwoFactor(actor: Actor, workspace: { requireTwoFactor: boolean }): void {
  if (workspace.requireTwoFactor && lacksTwoFactor(actor)) {
    throw new AppError('FORBIDDEN', `This workspace requires two-factor authentication. ${remedy(actor)}`)
  }
}

/** The purpose of a request: an ordinary action, or instance administration. */
type Purpose = 'anything' | 'operating'

/**
 * Returns whether an actor lacks two-factor authentication that the instance requires. Depending on
 * `requireTwoFactor`, the instance requires two-factor authentication for no action, only for instance
 * administration, or for every action of every user. A token counts as authenticated like the session that
 * created the token. See ADR 0029.
 */
export function owesTwoFactor(actor: Pick<Actor, 'twoFactor'>, purpose: Purpose): boolean {
  const { requireTwoFactor: of } = config()
  return lacksTwoFactor(actor) && (of === 'all' || (of === 'instance-admins' && purpose === 'operating'))
}

/**
 * Requires that an actor used two-factor authentication if the instance requires it for this purpose
 * (`owesTwoFactor`).
 * @throws AppError TWO_FACTOR_REQUIRED with instructions for the user
 */
export function requireTwoFactor(actor: Actor, purpose: Purpose): void {
  if (owesTwoFactor(actor, purpose)) {
    throw new AppError(
      'TWO_FACTOR_REQUIRED',
      `This instance requires two-factor authentication. ${remedy(actor)}`,
    )
  }
}

/**
 * Throws an error if the instance requires a user to use two-factor authentication. Call this function before
 * the user removes their last method.
 * @param user the user as currently stored, because the actor might not contain the latest values
 * @throws AppError CONFLICT
 */
export function requireFactorNotDemanded({ instanceAdmin }: { instanceAdmin: boolean }): void {
  const { requireTwoFactor: of } = config()
  if (of === 'all' || (of === 'instance-admins' && instanceAdmin)) {
    throw new AppError(
      'CONFLICT',
      'This instance requires two-factor authentication, and this is your last two-factor method. Add another one before you remove it.',
    )
  }
}

function remedy({ kind }: Actor): string {
  if (kind === 'session') return 'Set it up under Account > Security, then sign in with it.'
  return kind === 'oauth'
    ? 'Sign in with it, then authorize the app again.'
    : 'Sign in with it, then create a new token.'
}

/**
 * The name of a change to a user's sign-in methods. An account token can make the change after the user
 * approved exactly that change in a browser. The token alone is not enough, because a token does not prove
 * who is using it. See ADR 0015.
 */
type FactorChangeName = keyof typeof factorChanges

/** The approval page's text for each change: the requested action and its consequences. */
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

/** Returns the approval page's text for a change, or the change's name if a later release added it. */
export const describeChange = (name: string): { wants: string; means: string } =>
  isChange(name) ? factorChanges[name] : { wants: name, means: '' }

/** Returns whether this release supports a change. */
export const isChange = (name: string): name is FactorChangeName => Object.hasOwn(factorChanges, name)

/** A change, with its passkey and the passkey's new name, if any. */
export type FactorChange = { name: FactorChangeName; passkeyId?: string; wanted?: string }

/** The time after a denial in which none of the user's tokens can request a change, in minutes. */
export const refusedMinutes = 10

/**
 * Returns the key under which a user's denial is stored. The key contains no token ID, because a denial also
 * applies to the user's other tokens and to tokens that the requesting token creates.
 */
const refusalKey = (userId: string) => `factor-change-denied:${userId}`

/**
 * Records that a user denied a change. For the next `refusedMinutes` minutes, none of the user's tokens can
 * request a change. Withdraws earlier approvals, including those of unfinished setups, because a user who
 * finds one unwanted request cannot trust the other requests. Call this function in the denial's transaction.
 */
export async function recordDenial(tx: Db, userId: string): Promise<void> {
  const key = refusalKey(userId)
  const until = { points: 1, expire: databaseNow() + refusedMinutes * 60_000 }
  await tx.rateLimit.upsert({ where: { key }, create: { key, ...until }, update: until })
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND state = 'APPROVED' AND valid_until > now()`
}

/** The time in which a two-step change can be finished after its approval was used, in minutes. */
export const finishMinutes = 15

/**
 * Consumes the user's approval of this change. An approval covers only one token and one IP address, works
 * once, and is not valid after the session in which the user gave it ends. Call this function after all other
 * checks, in the transaction of the change, so that the approval is used only if the change succeeds.
 * @throws AppError APPROVAL_REQUIRED (lib/edges/graphql creates the approval request), FORBIDDEN (the user
 * recently denied a change)
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
      `The user denied a change to two-factor authentication. Wait ${refusedMinutes} minutes after the denial, then try again.`,
      { ...about, reason: 'denied' },
    )
  }
  throw new AppError(
    'APPROVAL_REQUIRED',
    'This action requires the user’s approval. Open the approval page, then send the same request again.',
    {
      ...about,
      ...(wanted && { wanted }),
    },
  )
}

/** The only change that has two steps. The user approves only the first step. */
const setUp: FactorChangeName = 'authenticator-app:create'

/**
 * Requires that this token used an approval to start the setup of an authenticator app in the last
 * `finishMinutes` minutes, and that the session of the approval has not ended. The approval of the first step
 * also covers the second step if the same token performs it.
 * @returns the ID of the session in which the user approved the first step
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
    `No authenticator app setup was started with this token in the last ${finishMinutes} minutes. Start the setup again.`,
  )
}

/**
 * Ends the setups that a user's tokens started. The caller is about to start another setup, and only the
 * latest setup can be finished.
 */
export async function endStartedSetups(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE factor_asks SET valid_until = now()
     WHERE user_id = ${userId}::uuid AND change = ${setUp} AND used_at IS NOT NULL AND valid_until > now()`
}
