import { z } from 'zod'
import { emailAddress } from '@/lib/base/mail/email-address'

/** The form that changes the e-mail address, at /account/security. */
export const changeEmailInput = z.object({
  email: emailAddress,
  password: z.string().max(1000, 'This is not your password.').default(''),
})
