import { z } from 'zod'
import { oneOf } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { allLanguages } from '@/lib/base/language/languages'
import { emailAddress } from '@/lib/base/mail/email-address'

/** Counted in UTF-8 bytes, so that argon2 never has more than this to chew on. */
const maxPasswordBytes = 200

const personName = nameInput('Enter your name.')

/** The form of a password that may be chosen; whether it is too easy to guess is `hashNewPassword`'s to say. */
export const newPassword = z
  .string()
  .min(10, 'Use at least 10 characters.')
  .refine((value) => Buffer.byteLength(value) <= maxPasswordBytes, 'Use a shorter password.')

/** The form at /signup. */
export const signUpInput = z.object({ name: personName, email: emailAddress, password: newPassword })

/** The form at /signup where an address is confirmed first, and what it asks once the mailed link was followed. */
export const beginSignUpInput = z.object({ email: emailAddress })
export const finishSignUpInput = z.object({
  token: z.string().max(3000).catch(''),
  name: personName,
  password: newPassword,
})

/** The form at /login. An address or a password that cannot be right is a wrong answer, not a wrong form. */
export const signInInput = z.object({
  email: emailAddress.catch(''),
  password: z
    .string()
    .refine((value) => Buffer.byteLength(value) <= maxPasswordBytes)
    .catch(''),
})

/** The form at /account/profile, and the API's `userUpdate`, where a picture's address can be given. */
export const profileInput = z.object({
  name: personName.optional(),
  avatarUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https$/, error: 'Enter an https address, or leave it empty.' }).max(500),
    ])
    .transform((value) => value || null)
    .optional(),
  language: z.enum(allLanguages, oneOf(allLanguages)).optional(),
})

/** The password section of /account/profile. */
export const changePasswordInput = z.object({
  current: z.string().max(1000, 'This password is incorrect.').default(''),
  password: newPassword,
})
