import { config } from '@/lib/base/config/env'
import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type AttemptLimit, countAttempt, isWithinLimit } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { signInPath } from '@/lib/base/http/safe-next'
import type { Visitor } from '@/lib/base/http/visitor'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import { unusableLinkError } from '../email/email-tokens'
import { mailboxLimit, sendFirstVerification } from '../email/send-verification'
import type { ProvenUser } from '../sessions/start-session'
import { createUser } from './create-user'
import { beginSignUpInput, finishSignUpInput, signUpInput } from './input'
import { hashNewPassword } from './password'
import { countedSignUp } from './sign-in'
import { confirmsFirst, requireSignUp } from './sign-up-policy'

/** The email address of a sign-up and the path to continue to. */
export type SignUpLink = { email: string; next: string }

const lifetimeMs = 60 * 60 * 1000

/**
 * The maximum length of the path in a sign-up link. A longer path is replaced with `/`, because email clients
 * can break long links.
 */
const longestNext = 500

/**
 * Returns the encrypted token of a sign-up link, which is valid for an hour. The token contains the data
 * itself, because a row for each entered email address would allow anyone to fill the database. The token
 * does not need to be single-use, because a second use is rejected if the account exists.
 */
export const sealSignUpLink = ({ email, next }: SignUpLink): string =>
  sealToken(
    JSON.stringify({
      email,
      next: next.length > longestNext ? '/' : next,
      until: databaseNow() + lifetimeMs,
    }),
    'sign-up',
  )

/**
 * Returns the data of a sign-up link, or undefined if the link is forged, malformed, or older than an hour.
 */
export function openSignUpLink(token: string): SignUpLink | undefined {
  const text = openToken(token, 'sign-up')
  if (!text) return undefined
  const { email, next, until } = JSON.parse(text) as SignUpLink & { until: number }
  return until > databaseNow() ? { email, next } : undefined
}

/**
 * Returns the email with the sign-up link. The email contains no name, because the server knows only the
 * email address.
 */
function signUpMail(say: Say, token: string): Mail {
  const service = config().serviceName
  return composeMail({
    say,
    subject: say('signup.mailSubject', { service }),
    paragraphs: [say('signup.mailText', { service })],
    actions: [
      {
        label: say('signup.submit'),
        url: `${config().BASE_URL}/signup?${new URLSearchParams({ token })}`,
      },
    ],
    footer: say('signup.mailUnasked'),
  })
}

/**
 * Returns the email for an email address that already has an account. Only this email reveals that the
 * account exists. The page does not.
 */
function haveAccountMail(say: Say, { name, next }: { name: string; next: string }): Mail {
  const service = config().serviceName
  const { BASE_URL: base } = config()
  return composeMail({
    say,
    subject: say('signup.haveSubject', { service }),
    name,
    paragraphs: [say('signup.haveText', { service })],
    actions: [
      { label: say('login.submit'), url: `${base}${signInPath(next)}` },
      { label: say('reset.mailAction'), url: `${base}/forgot-password` },
    ],
    footer: say('signup.mailUnasked'),
  })
}

const perAddress: AttemptLimit = {
  name: 'signup-link-address',
  points: 10,
  seconds: 600,
  message: 'Too many requests from your IP address. Wait a few minutes, then try again.',
}

/**
 * Emails a sign-up link. Call this function on instances that confirm the email address first
 * (`confirmsFirst`). If the email address already has an account, the email links to the sign-in page
 * instead. Suspended users receive no email, and neither does a mailbox that reached its limit. Neither the
 * response nor its timing reveals whether the address has an account.
 * @param input `email`
 * @param next the path to continue to, which can be an invitation
 * @throws AppError BAD_USER_INPUT (not an email address), FORBIDDEN (see `requireSignUp`), RATE_LIMITED if
 * the IP address reached its limit
 */
export async function beginSignUp(visitor: Visitor, input: unknown, next = '/'): Promise<void> {
  const { email } = parseInput(beginSignUpInput, input)
  if (visitor.ip) await countAttempt(perAddress, visitor.ip)
  await requireSignUp(email, next)
  runInBackground('sign-up link', () => mailLink(visitor, email, next))
}

async function mailLink(visitor: Visitor, email: string, next: string): Promise<void> {
  const user = await prisma().user.findUnique({ where: { email } })
  if (user) return mailOwner({ ...user, language: user.language ?? visitor.language ?? null }, next)
  // Send no more links if the mailbox's limit is reached, so that no one can flood the mailbox. The links
  // that were already sent still work.
  if (!(await isWithinLimit(mailboxLimit, email))) return
  sendMail(email, signUpMail(translatorForUser(visitor.language), sealSignUpLink({ email, next })))
}

type Owner = { email: string; name: string; language: string | null; suspendedAt: Date | null }

/**
 * Emails the owner of an account that someone requested an account with this address. Sends nothing to a
 * suspended user, or if the mailbox reached its limit.
 */
export async function mailOwner({ email, name, language, suspendedAt }: Owner, next = '/'): Promise<void> {
  if (suspendedAt || !(await isWithinLimit(mailboxLimit, email))) return
  sendMail(email, haveAccountMail(translatorForUser(language), { name, next }))
}

/**
 * Creates a user with a password and a personal workspace. If the instance sends email, emails a link that
 * verifies the user's email address.
 * @param input `name`, `email`, `password`
 * @param next the path to continue to, which can be an invitation
 * @returns the new user's ID and password hash
 * @throws AppError BAD_USER_INPUT that names the fields, FORBIDDEN (see `requireSignUp`, or the instance
 * confirms email addresses first), CONFLICT on `email` if the address already has an account, RATE_LIMITED,
 * SERVICE_UNAVAILABLE
 */
export async function signUp(visitor: Visitor, input: unknown, next?: string): Promise<ProvenUser> {
  const { name, email, password } = parseInput(signUpInput, input)
  if (confirmsFirst())
    throw new AppError('FORBIDDEN', 'Open the sign-up link we emailed you to create an account.')
  await requireSignUp(email, next)
  const made = await makeAccount(visitor, { name, email, password })
  sendFirstVerification({ id: made.userId, email, language: visitor.language })
  return made
}

/**
 * Creates a user with a personal workspace from an emailed sign-up link (`beginSignUp`). The link proves
 * access to the mailbox, so the email address counts as verified.
 * @param input `token`, `name`, `password`
 * @returns the new user's ID and password hash, and the path to continue to
 * @throws AppError NOT_FOUND (the link is not usable), and the errors of `signUp`
 */
export async function finishSignUp(visitor: Visitor, input: unknown): Promise<ProvenUser & { next: string }> {
  const { token, name, password } = parseInput(finishSignUpInput, input)
  const link = openSignUpLink(token)
  if (!link) throw unusableLinkError()
  const { email, next } = link
  await requireSignUp(email, next)
  const emailVerifiedAt = new Date()
  return { ...(await makeAccount(visitor, { name, email, password, emailVerifiedAt })), next }
}

type Account = { name: string; email: string; password: string; emailVerifiedAt?: Date }

async function makeAccount(visitor: Visitor, { password, ...user }: Account): Promise<ProvenUser> {
  const passwordHash = await countedSignUp(visitor.ip, () => hashNewPassword(password, user))
  // If two users with the same name sign up at the same moment, retry the second sign-up with another slug,
  // up to twice.
  for (let tries = 1; ; tries++) {
    try {
      const { userId } = await prisma().$transaction((tx) =>
        createUser(tx, { ...user, passwordHash, language: visitor.language }),
      )
      return { userId, passwordHash }
    } catch (error) {
      const columns = uniqueViolation(error)
      if (columns?.some((column) => column.includes('email'))) {
        throw new AppError('CONFLICT', 'This email already has an account. Sign in instead.', {
          field: 'email',
          fields: { email: 'This email already has an account. Sign in instead.' },
        })
      }
      if (!columns || tries === 3) throw error
    }
  }
}
