import { config } from '@/lib/base/config/env'
import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { signInPath } from '@/lib/base/http/safe-next'
import type { Visitor } from '@/lib/base/http/visitor'
import { type Say, sayToPerson } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import { deadLink } from '../email/email-tokens'
import { welcomePerson } from '../email/send-verification'
import type { ProvenPerson } from '../sessions/start-session'
import { createPerson } from './create-person'
import { beginSignUpInput, finishSignUpInput, signUpInput } from './input'
import { hashNewPassword } from './password'
import { countedSignUp } from './sign-in'
import { confirmsFirst, requireSignUp } from './sign-up-policy'

/** Who asked for an account, and where they go once they have it. */
export type SignUpLink = { email: string; next: string }

const lifetimeMs = 60 * 60 * 1000

/** Longer ways on are not worth a link that mail programs break. */
const longestNext = 500

/**
 * The token of a link that proves an address before there is an account of it. It holds what is known by itself, sealed: a row for
 * each address that somebody types would be theirs to fill the database with. It needs none to be used once: the account is made.
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

/** What a link's token holds. @returns undefined for one that is forged or malformed, and an hour after it was sent */
export function openSignUpLink(token: string): SignUpLink | undefined {
  const text = openToken(token, 'sign-up')
  if (!text) return undefined
  const { email, next, until } = JSON.parse(text) as SignUpLink & { until: number }
  return until > databaseNow() ? { email, next } : undefined
}

/** Carries the link by which somebody makes an account. It calls nobody by name: who typed the address is not known. */
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

/** In its place for somebody who has an account: the page where the address was typed says nothing of that. */
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
  message: 'Too many requests from your address. Wait a few minutes, then try again.',
}
const perMailbox: AttemptLimit = { name: 'signup-link-mailbox', points: 4, seconds: 3600, message: '' }

/**
 * Mails the link by which somebody makes an account, where an address is confirmed first. Whether there is an account already
 * the answer does not say, in its words and in the time it takes: only the mail does.
 * @param input `email`
 * @param next where they go afterwards, which may be an invitation
 * @throws AppError BAD_USER_INPUT (not an address), FORBIDDEN as `requireSignUp`, RATE_LIMITED
 */
export async function beginSignUp(visitor: Visitor, input: unknown, next = '/'): Promise<void> {
  const { email } = parseInput(beginSignUpInput, input)
  if (visitor.ip) await countAttempt(perAddress, visitor.ip)
  await requireSignUp(email, next)
  runInBackground('sign-up link', () => mailLink(visitor, email, next))
}

async function mailLink(visitor: Visitor, email: string, next: string): Promise<void> {
  try {
    await countAttempt(perMailbox, email)
  } catch (error) {
    // A mailbox must not be flooded by a stranger; the links already sent still work.
    if (isAppError(error)) return
    throw error
  }
  const person = await prisma().user.findUnique({
    where: { email },
    select: { name: true, language: true, suspendedAt: true },
  })
  if (person?.suspendedAt) return
  const say = sayToPerson(person?.language ?? visitor.language)
  sendMail(
    email,
    person
      ? haveAccountMail(say, { name: person.name, next })
      : signUpMail(say, sealSignUpLink({ email, next })),
  )
}

/**
 * Creates a person with a password, and their personal workspace, and mails the link that verifies their address.
 * @param input `name`, `email`, `password`
 * @param next where they go afterwards, which may be an invitation
 * @returns the new person's id, and the hash of their password
 * @throws AppError BAD_USER_INPUT by field, FORBIDDEN as `requireSignUp` and where an address is confirmed first, CONFLICT on
 *   `email` when it already has an account, RATE_LIMITED
 */
export async function signUp(visitor: Visitor, input: unknown, next?: string): Promise<ProvenPerson> {
  const { name, email, password } = parseInput(signUpInput, input)
  if (confirmsFirst())
    throw new AppError('FORBIDDEN', 'Open the sign-up link we emailed you to create an account.')
  await requireSignUp(email, next)
  const made = await makeAccount(visitor, { name, email, password })
  welcomePerson({ id: made.userId, email, language: visitor.language })
  return made
}

/**
 * The same for somebody who follows the link that was mailed to their address (`beginSignUp`), which it proves.
 * @param input `token`, `name`, `password`
 * @returns as `signUp`, and where they go on to
 * @throws AppError NOT_FOUND (the link is not usable), and as `signUp`
 */
export async function finishSignUp(
  visitor: Visitor,
  input: unknown,
): Promise<ProvenPerson & { next: string }> {
  const { token, name, password } = parseInput(finishSignUpInput, input)
  const link = openSignUpLink(token)
  if (!link) throw deadLink()
  const { email, next } = link
  await requireSignUp(email, next)
  const emailVerifiedAt = new Date()
  return { ...(await makeAccount(visitor, { name, email, password, emailVerifiedAt })), next }
}

type Account = { name: string; email: string; password: string; emailVerifiedAt?: Date }

async function makeAccount(visitor: Visitor, { password, ...person }: Account): Promise<ProvenPerson> {
  const passwordHash = await countedSignUp(visitor.ip, () => hashNewPassword(password, person))
  // Two people of one name may sign up at the same moment: the slug's loser tries once more and gets another.
  for (let tries = 1; ; tries++) {
    try {
      const { userId } = await prisma().$transaction((tx) =>
        createPerson(tx, { ...person, passwordHash, language: visitor.language }),
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
