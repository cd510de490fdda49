import { prisma } from '@/lib/base/db/prisma'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import type { Visitor } from '@/lib/base/http/visitor'
import { welcomePerson } from '../email-verification/send-verification'
import { createPerson } from './create-person'
import { hashNewPassword } from './hash-new-password'
import { signUpInput } from './input'
import { countedSignUp } from './limit-sign-in'
import { requireSignUp } from './sign-up-policy'

/**
 * Creates a person with a password, and their personal workspace, and mails the link that verifies their address.
 * @param input `name`, `email`, `password`
 * @param next where they go afterwards, which may be an invitation
 * @returns the new person's id
 * @throws AppError BAD_USER_INPUT by field, FORBIDDEN as `requireSignUp`, CONFLICT on `email` when it already has an account, RATE_LIMITED
 */
export async function signUp(visitor: Visitor, input: unknown, next?: string): Promise<{ userId: string }> {
  const { name, email, password } = parseInput(signUpInput, input)
  await requireSignUp(email, next)
  const passwordHash = await countedSignUp(visitor.ip, () => hashNewPassword(password, { name, email }))
  // Two people of one name may sign up at the same moment: the slug's loser tries once more and gets another.
  for (let tries = 1; ; tries++) {
    try {
      const { userId } = await prisma().$transaction((tx) =>
        createPerson(tx, { name, email, passwordHash, language: visitor.language }),
      )
      welcomePerson({ id: userId, email, language: visitor.language })
      return { userId }
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
