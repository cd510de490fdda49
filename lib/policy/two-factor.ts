import { AppError } from '@/lib/base/errors/app-error'
import type { Actor } from './actor'

/** Whether a browser session may enter a workspace, and if not, what its person has to do. See decision 067. */
export type TwoFactorGate = 'open' | 'set-up' | 'sign-in-again'

/** RFC 8176: stands among the methods of a session, or of a token made in it, whose person has shown two factors. */
export const hasTwoFactors = (methods: readonly string[]): boolean => methods.includes('mfa')

/**
 * A workspace may ask its people for two factors: what a browser session is told at its door.
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

function remedy({ kind }: Actor): string {
  if (kind === 'session') return 'Set it up under Account > Security, then sign in with it.'
  return kind === 'oauth'
    ? 'Sign in with it, then let the app in again.'
    : 'This token was made in a session without it. Sign in with it, then make a new token.'
}
