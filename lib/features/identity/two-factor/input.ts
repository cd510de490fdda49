import { z } from 'zod'

const password = z.string().max(1000, 'This is not your password.').default('')

/** Forms of /account/security that ask for the password alone. */
export const passwordInput = z.object({ password })

/** A code from an authenticator app, or at sign-in a recovery code. */
export const codeInput = z.object({
  code: z.string().trim().min(1, 'Enter the code.').max(64, 'This is not a code.'),
})
