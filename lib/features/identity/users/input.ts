import { z } from 'zod'
import { oneOf, shortText } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { allLanguages } from '@/lib/base/language/languages'
import { emailAddress } from '@/lib/base/mail/email-address'

/**
 * The maximum password length in UTF-8 bytes. Without a limit, anyone could make the server hash very long
 * inputs with argon2.
 */
const maxPasswordBytes = 200

const userName = nameInput('Enter your name.')

/** The input for a new password. `hashNewPassword` checks whether the password is too easy to guess. */
export const newPassword = z
  .string()
  .min(10, 'Use at least 10 characters.')
  .refine((value) => Buffer.byteLength(value) <= maxPasswordBytes, 'Use a shorter password.')

/** The form at /signup. */
export const signUpInput = z.object({ name: userName, email: emailAddress, password: newPassword })

/** The form at /signup on instances that confirm the email address first. */
export const beginSignUpInput = z.object({ email: emailAddress })

/**
 * The form that opens from an emailed sign-up link. A malformed token becomes an empty text, which matches no
 * link.
 */
export const finishSignUpInput = z.object({
  token: z.string().max(3000).catch(''),
  name: userName,
  password: newPassword,
})

/**
 * The form at /login. An invalid email address or password becomes an empty text. It therefore counts as a
 * failed sign-in, not as an invalid form.
 */
export const signInInput = z.object({
  email: emailAddress.catch(''),
  password: z
    .string()
    .refine((value) => Buffer.byteLength(value) <= maxPasswordBytes)
    .catch(''),
})

/** The form at /account/profile, and the API's `userUpdate`, which also accepts the URL of a picture. */
export const profileInput = z.object({
  name: userName.optional(),
  avatarUrl: z
    .union([
      z.literal(''),
      shortText(500).pipe(z.url({ protocol: /^https$/, error: 'Enter an https URL, or leave this empty.' })),
    ])
    .transform((value) => value || null)
    .optional(),
  language: z.enum(allLanguages, oneOf(allLanguages)).optional(),
})

/** The password form at /account/security. */
export const changePasswordInput = z.object({
  current: z.string().max(1000, 'This password is incorrect.').default(''),
  password: newPassword,
})
