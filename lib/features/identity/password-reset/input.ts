import { z } from 'zod'
import { emailAddress } from '@/lib/base/mail/email-address'
import { newPassword } from '../people/input'

/** The form at /forgot-password. */
export const requestResetInput = z.object({ email: emailAddress })

/** The form at /reset-password. */
export const resetPasswordInput = z.object({ token: z.string().max(200).catch(''), password: newPassword })
