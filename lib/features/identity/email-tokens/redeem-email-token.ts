import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { AppError } from '@/lib/base/errors/app-error'
import type { EmailTokenPurpose } from '@/lib/generated/prisma/enums'

/**
 * Whether a link would work. Looking does not use it up: mail scanners open links before people do.
 * @returns the address it was sent to, or undefined when it is used, replaced, expired or malformed
 */
export async function findEmailToken(purpose: EmailTokenPurpose, token: string | undefined) {
  const hash = token ? hashOf(token) : undefined
  if (!hash) return undefined
  return (
    (await prisma().emailToken.findFirst({
      where: { hash, purpose, expiresAt: { gt: new Date(databaseNow()) } },
      select: { email: true, user: { select: { id: true, name: true, email: true } } },
    })) ?? undefined
  )
}

/**
 * Uses a link up, in the transaction of what it allows. Of two at the same moment one succeeds.
 * @returns the person, and the address that the link was sent to
 * @throws AppError NOT_FOUND when it is used, replaced, expired or malformed, or the person is suspended
 */
export async function redeemEmailToken(tx: Db, purpose: EmailTokenPurpose, token: string) {
  const hash = hashOf(token)
  const found = hash ? await tx.emailToken.findUnique({ where: { hash }, include: { user: true } }) : null
  const usable =
    found && found.purpose === purpose && found.expiresAt.getTime() > databaseNow() && !found.user.suspendedAt
  const { count } = usable ? await tx.emailToken.deleteMany({ where: { hash } }) : { count: 0 }
  if (!usable || count === 0) {
    throw deadLink()
  }
  return { email: found.email, user: found.user }
}

const hashOf = (token: string) =>
  credentialKind(token) === 'emailToken' ? Uint8Array.from(hashCredential(token)) : undefined

/** What is said of every link that cannot be used. */
export const deadLink = () =>
  new AppError('NOT_FOUND', 'This link has been used, has expired, or a newer one was sent.')
