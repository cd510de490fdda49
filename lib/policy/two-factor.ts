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
