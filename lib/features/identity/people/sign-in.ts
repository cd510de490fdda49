import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { loggedAddress } from '@/lib/base/http/logged-address'
import type { Visitor } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import type { ProvenPerson } from '../sessions/hold-proof'
import { signInInput } from './input'
import { countedSignIn, forgiveSignIn } from './limit-sign-in'

/**
 * Checks an e-mail address and a password. Takes the same time whether or not there is such a person.
 * @param input `email`, `password`
 * @returns the person's id, and the hash that the password was compared with
 * @throws AppError UNAUTHENTICATED (one message whatever was wrong), RATE_LIMITED with `retryAfter`,
 *   SERVICE_UNAVAILABLE when too many sign in at this moment, which costs no try
 */
export async function signIn(visitor: Visitor, input: unknown): Promise<ProvenPerson> {
  const { email, password } = parseInput(signInInput, input)
  const { person, matches } = await countedSignIn(visitor.ip, email, async () => {
    const person = await prisma().user.findUnique({
      where: { email },
      select: { id: true, passwordHash: true, suspendedAt: true },
    })
    return { person, matches: await verifyPassword(person?.passwordHash, password) }
  })
  if (!person || !matches || person.suspendedAt) {
    const reason = !person ? 'unknown account' : matches ? 'suspended' : 'wrong password'
    log.info('a sign-in was refused', { method: 'password', reason, client: loggedAddress(visitor.ip) })
    throw new AppError('UNAUTHENTICATED', 'The email or the password is not right.')
  }
  await forgiveSignIn(visitor.ip, email)
  return { userId: person.id, passwordHash: person.passwordHash }
}
