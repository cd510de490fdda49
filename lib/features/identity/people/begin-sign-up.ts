import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { sayToPerson } from '@/lib/base/language/say'
import { sendMail } from '@/lib/base/mail/send-mail'
import { runInBackground } from '@/lib/base/process/background'
import { beginSignUpInput } from './input'
import { sealSignUpLink } from './sign-up-link'
import { haveAccountMail, signUpMail } from './sign-up-mail'
import { requireSignUp } from './sign-up-policy'

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
