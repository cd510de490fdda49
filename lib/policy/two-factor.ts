import { AppError } from '@/lib/errors/app-error'
import type { Actor } from './actor'

/** Whether a browser session may enter a workspace, and if not, what its person has to do. */
export type TwoFactorGate = 'open' | 'set-up' | 'sign-in-again'

/** RFC 8176: stands among a session's methods when its person has shown two factors. */
export const hasTwoFactors = (methods: readonly string[]): boolean => methods.includes('mfa')

/**
 * A workspace may ask its people for two factors. That gates the browser; tokens and apps stand on the rights of a person
 * who gave them away in the browser.
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

/**
 * Whether an actor stays outside of workspaces that ask for two factors: a browser session in which one was shown. Tokens
 * and apps do not; they stand on what a person gave them in a session that was let in.
 */
export const staysOutside = (actor: Actor): boolean =>
  actor.kind === 'session' && !hasTwoFactors(actor.methods ?? [])

/** @throws AppError FORBIDDEN when a workspace asks for two factors and the actor's session has shown one */
export function authorizeTwoFactor(actor: Actor, workspace: { requireTwoFactor: boolean }): void {
  if (workspace.requireTwoFactor && staysOutside(actor)) {
    throw new AppError(
      'FORBIDDEN',
      'This workspace asks for two-factor. Set it up under Account > Security, then sign in with it.',
    )
  }
}
