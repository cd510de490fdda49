import { config } from '@/lib/base/config/env'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor } from './actor'

/** Whether a browser session may enter a workspace, and if not, what its person has to do. See decision 067. */
export type TwoFactorGate = 'open' | 'set-up' | 'sign-in-again'

/** RFC 8176: stands among the methods of a session, or of a token made in it, whose person has shown two factors. */
export const hasTwoFactors = (methods: readonly string[]): boolean => methods.includes('mfa')

/**
 * Returns what a user in a browser session must do before opening a workspace that requires two-factor authentication.
 * @param session how the person signed in
 * @param enrolled whether the person has a second factor at all
 */
export function twoFactorGate(
  workspace: { requireTwoFactor: boolean },
  session: { methods: readonly string[] },
  enrolled: boolean,
): TwoFactorGate {
  if (!workspace.requireTwoFactor || hasTwoFactors(session.methods)) return 'open'
  return enrolled ? 'sign-in-again' : 'set-up'
}

/** Whether an actor stays outside of workspaces that ask for two factors: a session with one, and what comes from such. */
export const staysOutside = (actor: Actor): boolean => !actor.twoFactor

/** @throws AppError FORBIDDEN when a workspace asks for two factors and the actor comes from a session with one */
export function authorizeTwoFactor(actor: Actor, workspace: { requireTwoFactor: boolean }): void {
  if (workspace.requireTwoFactor && staysOutside(actor)) {
    throw new AppError('FORBIDDEN', `This workspace asks for two-factor. ${remedy(actor)}`)
  }
}

/** What the user is about to do: anything at all, or what only instance admins can do. */
type Purpose = 'anything' | 'operating'

/**
 * Whether an actor owes the second factor that the installation demands (requireTwoFactor): of operators before they operate, of
 * everybody before anything. A token is as strong as the session that made it.
 * See decision 176.
 */
export function owesSecondFactor(actor: Actor, purpose: Purpose): boolean {
  const { requireTwoFactor: of } = config()
  return staysOutside(actor) && (of === 'all' || (of === 'instance-admins' && purpose === 'operating'))
}

/** @throws AppError SECOND_FACTOR_REQUIRED when the actor owes it, with what to do */
export function requireSecondFactor(actor: Actor, purpose: Purpose): void {
  if (owesSecondFactor(actor, purpose)) {
    throw new AppError('SECOND_FACTOR_REQUIRED', `This service asks for a second factor. ${remedy(actor)}`)
  }
}

/**
 * Keeps the last second factor of somebody of whom one is demanded.
 * @param person as they are now, whoever acts for them
 * @throws AppError CONFLICT
 */
export function keepDemandedFactor({ instanceAdmin }: { instanceAdmin: boolean }): void {
  const { requireTwoFactor: of } = config()
  if (of === 'all' || (of === 'instance-admins' && instanceAdmin)) {
    throw new AppError(
      'CONFLICT',
      'This service asks you for a second factor, and this is your last. Add another, then remove this one.',
    )
  }
}

function remedy({ kind }: Actor): string {
  if (kind === 'session') return 'Set it up under Account > Security, then sign in with it.'
  return kind === 'oauth'
    ? 'Sign in with it, then let the app in again.'
    : 'This token was made in a session without it. Sign in with it, then make a new token.'
}
