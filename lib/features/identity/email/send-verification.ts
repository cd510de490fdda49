import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { domainOf, emailAddress } from '@/lib/base/mail/email-address'
import { canSendMail, type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import type { SessionActor } from '@/lib/policy/actor'
import { requiredSsoOf } from '@/lib/policy/required-sso'
import { requirePassword } from '../two-factor/require-password'
import { mintEmailToken } from './email-tokens'

/** The form that changes the email address, at /account/security. */
const changeEmailInput = z.object({
  email: emailAddress,
  password: z.string().max(1000, 'This password is incorrect.').default(''),
})

/**
 * Returns the email that verifies a new or changed address. The email contains no name, because anyone could
 * sign up with someone else's address and a misleading name.
 */
export function verifyEmailMail(say: Say, { url }: { url: string }): Mail {
  const service = config().serviceName
  return composeMail({
    say,
    subject: say('confirm.mailSubject', { service }),
    paragraphs: [say('confirm.mailText', { service })],
    actions: [{ label: say('confirm.mailAction'), url }],
    footer: say('confirm.mailUnasked'),
    welcomes: true,
  })
}

const perUser: AttemptLimit = {
  name: 'verify-email',
  points: 5,
  seconds: 3600,
  message: 'You have requested too many emails. Check your inbox, or try again in an hour.',
}

/** A user's ID, and the language for emails to the user if it is known. */
type Spoken = { id: string; language?: string | null | undefined }

/**
 * Emails the verification link to a new user if the instance can send email. Sign-up does not wait for the
 * email to be sent.
 */
export function sendFirstVerification(user: Spoken & { email: string }): void {
  if (canSendMail()) runInBackground('welcome mail', () => mailLink(user, user.email))
}

/**
 * Emails a new verification link for the user's current address.
 * @throws AppError CONFLICT if the address is already verified, RATE_LIMITED
 */
export async function sendVerification(actor: SessionActor): Promise<void> {
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  if (user.emailVerifiedAt) throw new AppError('CONFLICT', 'Your email address is already confirmed.')
  await countAttempt(perUser, user.id)
  await mailLink(user, user.email)
}

/**
 * Starts a change of the email address by sending a link to the new address. The old address remains until
 * the user opens the link and confirms the new address.
 * @param input `email`, and `password` if the user has one and did not enter it in the last ten minutes
 * @returns the new address
 * @throws AppError BAD_USER_INPUT that names the fields, CONFLICT on `email` if the new address has an
 * account, FORBIDDEN on `email` if a workspace requires SSO for the current address and the new address is
 * outside the SSO domain, RATE_LIMITED, and the errors of `requirePassword`
 */
export async function changeEmail(actor: SessionActor, input: unknown): Promise<{ email: string }> {
  const { email, password } = parseInput(changeEmailInput, input)
  await countAttempt(perUser, actor.userId)
  await requirePassword(actor, password)
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  if (email === user.email)
    throw badInput('email', 'This is already your email address. Enter a different one.')
  await requireFreeToChange(actor.userId, email)
  const taken = 'This email already has an account. Enter a different one.'
  if ((await prisma().user.count({ where: { email } })) > 0) {
    throw new AppError('CONFLICT', taken, { field: 'email', fields: { email: taken } })
  }
  await mailLink(user, email)
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

async function mailLink(user: Spoken, email: string): Promise<void> {
  const token = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'VERIFY_EMAIL', userId: user.id, email }),
  )
  sendMail(
    email,
    verifyEmailMail(translatorForUser(user.language), {
      url: `${config().BASE_URL}/verify-email?token=${token}`,
    }),
  )
}
