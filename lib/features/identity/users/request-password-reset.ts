import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { type AttemptLimit, countAttempt, isWithinLimit } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { emailAddress } from '@/lib/base/mail/email-address'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import { mintEmailToken } from '../email/email-tokens'
import { newPassword } from './input'

/** The form at /forgot-password. */
const requestResetInput = z.object({ email: emailAddress })

/** The form at /reset-password. */
export const resetPasswordInput = z.object({ token: z.string().max(200).catch(''), password: newPassword })

/** Returns the email with a password reset link. */
export const resetPasswordMail = (say: Say, { name, url }: { name: string; url: string }): Mail =>
  composeMail({
    say,
    subject: say('reset.mailSubject', { service: config().serviceName }),
    name,
    paragraphs: [say('reset.mailText')],
    actions: [{ label: say('reset.mailAction'), url }],
    footer: say('reset.mailUnasked'),
  })

const perAddress: AttemptLimit = {
  name: 'reset-address',
  points: 10,
  seconds: 600,
  message: 'Too many requests from your IP address. Wait a few minutes, then try again.',
}
const perAccount: AttemptLimit = { name: 'reset-account', points: 4, seconds: 3600, message: '' }

/**
 * Emails a password reset link if the email address has an account that is not suspended and has not reached
 * its limit. All work that depends on the account runs in the background. Therefore, neither the response nor
 * its timing reveals whether the account exists.
 * @param input `email`
 * @throws AppError BAD_USER_INPUT (not an email address), RATE_LIMITED if the IP address reached its limit
 */
export async function requestPasswordReset(visitor: Visitor, input: unknown): Promise<void> {
  const { email } = parseInput(requestResetInput, input)
  if (visitor.ip) await countAttempt(perAddress, visitor.ip)
  runInBackground('password reset', () => mailResetLink(email, visitor))
}

async function mailResetLink(email: string, visitor: Visitor): Promise<void> {
  const user = await prisma().user.findUnique({
    where: { email },
    select: { id: true, name: true, language: true, suspendedAt: true },
  })
  if (!user || user.suspendedAt) return
  // Send no more links if the account's limit is reached, so that no one can flood the mailbox. The last link
  // that was sent still works.
  if (!(await isWithinLimit(perAccount, user.id))) return
  const token = await prisma().$transaction((tx) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId: user.id, email }),
  )
  const url = `${config().BASE_URL}/reset-password?token=${token}`
  const say = translatorForUser(user.language ?? visitor.language)
  sendMail(email, resetPasswordMail(say, { name: user.name, url }))
}
