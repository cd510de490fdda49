import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { nameInput } from '@/lib/base/errors/names'
import { emailAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ProvenPerson } from '../sessions/start-session'
import { createPerson } from './create-person'
import { requireSignUpByProvider } from './sign-up-policy'

/** What an identity provider says about a person who has just signed in there. See ADR 0035. */
export type ExternalPerson = {
  provider: string
  /** The provider's own id of the person; e-mail addresses change hands, this does not. */
  subject: string
  email: string | undefined
  /** Whether the provider vouches for the address. */
  emailVerified: boolean
  name: string | undefined
  avatarUrl: string | undefined
}

/**
 * Finds or makes the person behind an account at an identity provider. Joins it to an existing person only where both
 * sides have verified the address, here by the account's own session (`confirmEmail`) or by setting a password by mail:
 * otherwise whoever registered a stranger's address first would share their account.
 * @param requireNewcomer throws what stands in the way of somebody whose account there is not known yet, in the transaction that joins it
 * @returns the person's id, and the hash of their password
 * @throws AppError FORBIDDEN (suspended, no verified address, or no new account may be made), CONFLICT (the address belongs to an account here)
 */
export async function signInExternal(
  external: ExternalPerson,
  requireNewcomer?: (tx: Db) => Promise<void>,
): Promise<ProvenPerson> {
  const { provider, subject } = external
  const known = await prisma().identity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { user: { select: { id: true, passwordHash: true, suspendedAt: true } } },
  })
  if (known?.user.suspendedAt) throw new AppError('FORBIDDEN', 'This account is suspended.')
  if (known) return { userId: known.user.id, passwordHash: known.user.passwordHash }
  const { data: email } = emailAddress.safeParse(external.email)
  if (!email || !external.emailVerified) {
    throw new AppError('FORBIDDEN', 'The provider did not confirm your email address.')
  }
  const owner = await prisma().user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, emailVerifiedAt: true, suspendedAt: true },
  })
  if (owner && (!owner.emailVerifiedAt || owner.suspendedAt)) throw taken()
  if (!owner) await requireSignUpByProvider(email)
  return prisma()
    .$transaction(async (tx) => {
      await requireNewcomer?.(tx)
      const userId = owner?.id ?? (await createPerson(tx, newPerson(external, email))).userId
      await tx.identity.create({ data: { provider, subject, userId } })
      if (owner) await recordEvent(tx, { kind: 'system', userId }, joined(userId, provider))
      return { userId, passwordHash: owner?.passwordHash ?? null }
    })
    .catch((error) => {
      // The same person came back in two tabs at once, or signed up in between: the next try finds them.
      throw uniqueViolation(error) ? taken() : error
    })
}

const joined = (userId: string, provider: string) => ({
  action: 'user.identity_joined',
  resource: { type: 'user', id: userId },
  details: { provider },
})

const newPerson = (external: ExternalPerson, email: string) => ({
  name: readableName(external.name) ?? (email.split('@', 1)[0] as string),
  email,
  emailVerifiedAt: new Date(),
  avatarUrl: external.avatarUrl?.startsWith('https://') ? external.avatarUrl : null,
})

/** The name a provider tells, cut to the length of ours; undefined where nobody could read it. */
function readableName(name: string | undefined): string | undefined {
  const read = nameInput().safeParse([...(name ?? '').trim()].slice(0, 80).join(''))
  return read.success ? read.data : undefined
}

const taken = () =>
  new AppError(
    'CONFLICT',
    'This email already has an account. Sign in with its password, or reset the password by email.',
  )
