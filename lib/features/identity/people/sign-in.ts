import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { loggedAddress } from '@/lib/base/http/client-address'
import type { Visitor } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import type { ProvenPerson } from '../sessions/hold-proof'
import { checkPassword } from './check-password'
import { signInInput } from './input'
import { countedSignIn, forgiveSignIn } from './limit-sign-in'

/**
 * Checks an email address and a password. Takes as long for an address without an account.
 * @param input `email`, `password`
 * @returns the user's ID, and the hash of their password
 * @throws AppError UNAUTHENTICATED (one message whatever was wrong), RATE_LIMITED with `retryAfter`,
 *   SERVICE_UNAVAILABLE when too many sign in at this moment, which costs no try
 */
export async function signIn(visitor: Visitor, input: unknown): Promise<ProvenPerson> {
  const { email, password } = parseInput(signInInput, input)
  const { person, matches, passwordHash } = await countedSignIn(visitor.ip, email, async () => {
    const person = await prisma().user.findUnique({
      where: { email },
      select: { id: true, passwordHash: true, suspendedAt: true },
    })
    return { person, ...(await checkPassword(email, person, password)) }
  })
  if (!person || !matches || person.suspendedAt) {
    const reason = !person ? 'unknown account' : matches ? 'suspended' : 'wrong password'
    log.info('a sign-in was refused', { method: 'password', reason, client: loggedAddress(visitor.ip) })
    throw new AppError('UNAUTHENTICATED', 'The email or the password is not right.')
  }
  await forgiveSignIn(visitor.ip, email)
  return { userId: person.id, passwordHash }
}
