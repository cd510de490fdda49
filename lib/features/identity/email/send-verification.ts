import { config } from '@/lib/base/config/env'
import { type AttemptLimit, countAttempt, isWithinLimit } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { canSendMail, type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import type { SessionActor } from '@/lib/policy/actor'
import { mintEmailToken } from './email-tokens'

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

/** The limit on the verification emails that a user can request. */
export const verificationLimit: AttemptLimit = {
  name: 'verify-email',
  points: 5,
  seconds: 3600,
  message: 'You have requested too many emails. Check your inbox, or try again in an hour.',
}

/**
 * The limit on emails with links to a mailbox whose owner might not have requested them. It applies to all
 * users and visitors together, so that no one can flood a mailbox with several accounts.
 */
export const mailboxLimit: AttemptLimit = { name: 'link-mailbox', points: 4, seconds: 3600, message: '' }

/** A user's ID, and the language for emails to the user if it is known. */
type Spoken = { id: string; language?: string | null | undefined }

/**
 * Emails the verification link to a new user if the instance can send email. Sign-up does not wait for the
 * email to be sent.
 */
export function sendFirstVerification(user: Spoken & { email: string }): void {
  if (canSendMail()) runInBackground('welcome mail', () => mailVerification(user, user.email))
}

/**
 * Emails a new verification link for the user's current address.
 * @throws AppError CONFLICT if the address is already verified, RATE_LIMITED
 */
export async function sendVerification(actor: SessionActor): Promise<void> {
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  if (user.emailVerifiedAt) throw new AppError('CONFLICT', 'Your email address is already confirmed.')
  await countAttempt(verificationLimit, user.id)
  const sent = await mailVerification(user, user.email)
  if (!sent) throw new AppError('RATE_LIMITED', verificationLimit.message)
}

/**
 * Emails a link that makes an address the user's verified address. Sends nothing if the mailbox reached its
 * limit. The last link that was sent still works.
 * @returns whether the email was sent
 */
export async function mailVerification(user: Spoken, email: string): Promise<boolean> {
  if (!(await isWithinLimit(mailboxLimit, email))) return false
  const token = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'VERIFY_EMAIL', userId: user.id, email }),
  )
  sendMail(
    email,
    verifyEmailMail(translatorForUser(user.language), {
      url: `${config().BASE_URL}/verify-email?token=${token}`,
    }),
  )
  return true
}
