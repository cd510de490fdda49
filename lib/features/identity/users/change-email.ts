import { z } from 'zod'
import { countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { domainOf, emailAddress } from '@/lib/base/mail/email-address'
import { runInBackground } from '@/lib/base/process/background'
import type { SessionActor } from '@/lib/policy/actor'
import { requiredSsoOf } from '@/lib/policy/required-sso'
import { mailVerification, verificationLimit } from '../email/send-verification'
import { requirePassword } from '../two-factor/require-password'
import { mailOwner } from './sign-up'
import { confirmsFirst } from './sign-up-policy'

/** The form that changes the email address, at /account/security. */
const changeEmailInput = z.object({
  email: emailAddress,
  password: z.string().max(1000, 'This password is incorrect.').default(''),
})

/**
 * Starts a change of the email address by sending a link to the new address. The old address remains until
 * the user opens the link and confirms the new address. If sign-up hides which addresses have an account
 * (`confirmsFirst`), so does this function: it emails the owner of an address that has one instead.
 * @param input `email`, and `password` if the user has one and did not enter it in the last ten minutes
 * @returns the new address
 * @throws AppError BAD_USER_INPUT that names the fields, CONFLICT on `email` if the new address has an
 * account that sign-up would not hide, FORBIDDEN on `email` if a workspace requires SSO for the current
 * address and the new address is outside the SSO domain, RATE_LIMITED, and the errors of `requirePassword`
 */
export async function changeEmail(actor: SessionActor, input: unknown): Promise<{ email: string }> {
  const { email, password } = parseInput(changeEmailInput, input)
  await countAttempt(verificationLimit, actor.userId)
  await requirePassword(actor, password)
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  if (email === user.email)
    throw badInput('email', 'This is already your email address. Enter a different one.')
  await requireFreeToChange(actor.userId, email)
  if (confirmsFirst()) {
    runInBackground('email change', () => mailLink(user, email))
    return { email }
  }
  const taken = 'This email already has an account. Enter a different one.'
  if ((await prisma().user.count({ where: { email } })) > 0) {
    throw new AppError('CONFLICT', taken, { field: 'email', fields: { email: taken } })
  }
  await mailVerification(user, email)
  return { email }
}

/**
 * Rejects an email address outside the SSO domain if a workspace requires SSO for the user.
 * @throws AppError FORBIDDEN
 */
async function requireFreeToChange(userId: string, email: string): Promise<void> {
  const required = await requiredSsoOf(prisma(), userId)
  if (!required || domainOf(email) === required.domain) return
  const reason = `${required.workspaceName} requires single sign-on with your ${required.domain} address. Leave the workspace and its projects, or ask one of its admins to remove you, then change your email.`
  throw new AppError('FORBIDDEN', reason, { field: 'email', fields: { email: reason } })
}

/** Emails the link to an address without an account, and a notice to the owner of any other address. */
async function mailLink(user: { id: string; language: string | null }, email: string): Promise<void> {
  const owner = await prisma().user.findUnique({ where: { email } })
  await (owner ? mailOwner(owner) : mailVerification(user, email))
}
