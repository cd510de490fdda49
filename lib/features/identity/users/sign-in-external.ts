import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { nameInput } from '@/lib/base/errors/names'
import { emailAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ProvenUser } from '../sessions/start-session'
import { createUser } from './create-user'
import { requireSignUpByProvider } from './sign-up-policy'

/** The data that an identity provider returns about a user who just signed in there. See ADR 0028. */
export type ExternalUser = {
  provider: string
  /** The user's ID at the provider. Unlike an email address, this ID never changes owners. */
  subject: string
  email: string | undefined
  /** Whether the provider verified the email address. */
  emailVerified: boolean
  name: string | undefined
  avatarUrl: string | undefined
}

/**
 * Finds or creates the user of an account at an identity provider. Connects the account to an existing user
 * only if both the provider and this instance verified the email address. On this instance, users verify
 * their address in their own session (`confirmEmail`) or with a password reset, for example. If one
 * verification were enough, an attacker who registered the address before its owner would share the account.
 * @param requireNewcomer a function that throws if a new provider account must be rejected. The function is
 * called only for an account that is not connected to a user yet. It runs in the transaction that connects
 * the account.
 * @returns the user's ID and password hash (null if the user has no password)
 * @throws AppError FORBIDDEN (the user is suspended, the provider did not send a verified address, or sign-up
 * is not allowed), CONFLICT (the address belongs to a user who is suspended or has not verified it, or a
 * concurrent request created the user), and the errors of `requireNewcomer`
 */
export async function signInExternal(
  external: ExternalUser,
  requireNewcomer?: (tx: Db) => Promise<void>,
): Promise<ProvenUser> {
  const { provider, subject } = external
  const known = await prisma().identity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { user: { select: { id: true, passwordHash: true, suspendedAt: true } } },
  })
  if (known?.user.suspendedAt) {
    throw new AppError('FORBIDDEN', 'This account is suspended. Contact an instance admin.', {
      reason: 'suspended',
    })
  }
  if (known) return { userId: known.user.id, passwordHash: known.user.passwordHash }
  const { data: email } = emailAddress.safeParse(external.email)
  if (!email || !external.emailVerified) {
    throw new AppError(
      'FORBIDDEN',
      'The provider did not confirm your email address. Confirm it there, then try again.',
      { reason: 'unverified_email' },
    )
  }
  const owner = await prisma().user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, emailVerifiedAt: true, suspendedAt: true },
  })
  if (owner && (!owner.emailVerifiedAt || owner.suspendedAt)) throw taken()
  if (!owner) await requireSignUpByProvider(email)
  for (let tries = 1; ; tries++) {
    try {
      return await prisma().$transaction(async (tx) => {
        await requireNewcomer?.(tx)
        const userId = owner?.id ?? (await createUser(tx, newUser(external, email))).userId
        await tx.identity.create({ data: { provider, subject, userId } })
        if (owner) await recordEvent(tx, { kind: 'system', userId }, joined(userId, provider))
        return { userId, passwordHash: owner?.passwordHash ?? null }
      })
    } catch (error) {
      const columns = uniqueViolation(error)
      // If two users with the same name sign up at the same moment, the second sign-up is retried with
      // another slug.
      if (columns?.some((column) => column.includes('slug'))) {
        if (tries < 3) continue
        throw error
      }
      // A concurrent request created the user or connected the account, for example in a second tab. Reject
      // this request. The next attempt finds the existing user.
      throw columns ? taken() : error
    }
  }
}

const joined = (userId: string, provider: string) => ({
  action: 'user.identity_joined',
  resource: { type: 'user', id: userId },
  details: { provider },
})

const newUser = (external: ExternalUser, email: string) => ({
  name: readableName(external.name) ?? (email.split('@', 1)[0] as string),
  email,
  emailVerifiedAt: new Date(),
  avatarUrl: external.avatarUrl?.startsWith('https://') ? external.avatarUrl : null,
})

/**
 * Returns the user's name at the provider, trimmed and truncated to the maximum length, or undefined if the
 * result is not a valid name.
 */
function readableName(name: string | undefined): string | undefined {
  const read = nameInput().safeParse([...(name ?? '').trim()].slice(0, 80).join(''))
  return read.success ? read.data : undefined
}

const taken = () =>
  new AppError(
    'CONFLICT',
    'An account with this email address already exists. Sign in with its password, or reset the password by email.',
  )
