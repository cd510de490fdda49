import { prisma } from '@/lib/base/db/prisma'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { deadLink } from '../email-tokens/redeem-email-token'
import { welcomePerson } from '../email-verification/send-verification'
import type { ProvenPerson } from '../sessions/hold-proof'
import { createPerson } from './create-person'
import { hashNewPassword } from './hash-new-password'
import { finishSignUpInput, signUpInput } from './input'
import { countedSignUp } from './limit-sign-in'
import { openSignUpLink } from './sign-up-link'
import { confirmsFirst, requireSignUp } from './sign-up-policy'

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
  if (confirmsFirst()) throw new AppError('FORBIDDEN', 'A new account takes a link that is mailed first.')
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
