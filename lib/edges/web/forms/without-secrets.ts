/**
 * Fields that hold what proves who somebody is: passwords, codes, tokens, secrets, a passkey's answer. They are told by
 * their name, so that a new form has them left out without being asked; without-secrets.test.ts reads every form of the
 * product for one that this would miss.
 */
const secretField = /pass(word|phrase|code)|secret|token|credential|recovery|otp|^(code|current|response)$/i

/** Whether a field's value must never travel back to its form. */
export const isSecretField = (name: string): boolean => secretField.test(name)

/** What a refused form is shown with again: everything that had been typed, but for secrets. */
export const withoutSecrets = (input: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !isSecretField(name)))
