import { credentialKind, hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { EmailTokenPurpose } from '@/lib/generated/prisma/enums'

const hours: Record<EmailTokenPurpose, number> = { VERIFY_EMAIL: 24, RESET_PASSWORD: 1 }

/**
 * Creates the token for an emailed link and replaces the user's earlier tokens with the same purpose, so that
 * only the last link works. Also deletes all users' expired tokens.
 * @param email the recipient
 * @returns the plain token. Only its SHA-256 hash is stored.
 */
export async function mintEmailToken(
  db: Db,
  { purpose, userId, email }: { purpose: EmailTokenPurpose; userId: string; email: string },
): Promise<string> {
  const token = mintCredential('emailToken')
  const expiresAt = new Date(databaseNow() + hours[purpose] * 3_600_000)
  await db.emailToken.deleteMany({
    where: { OR: [{ userId, purpose }, { expiresAt: { lt: new Date(databaseNow()) } }] },
  })
  await db.emailToken.create({
    data: { hash: Uint8Array.from(hashCredential(token)), purpose, userId, email, expiresAt },
  })
  return token
}

/**
 * Finds a usable link without redeeming it, because email scanners open links before users do.
 * @returns the recipient's email address and the user, or undefined if the token is absent, or if the link is
 * used, replaced, expired, malformed, or for another purpose
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
 * Redeems a link. Call this function in the transaction of the change that the link confirms. Of two
 * concurrent calls, only one succeeds.
 * @returns the user and the recipient's email address
 * @throws AppError NOT_FOUND if the link is used, replaced, expired, malformed, or for another purpose, or if
 * the user is suspended
 */
export async function redeemEmailToken(tx: Db, purpose: EmailTokenPurpose, token: string) {
  const hash = hashOf(token)
  const found = hash ? await tx.emailToken.findUnique({ where: { hash }, include: { user: true } }) : null
  const usable =
    found && found.purpose === purpose && found.expiresAt.getTime() > databaseNow() && !found.user.suspendedAt
  const { count } = usable ? await tx.emailToken.deleteMany({ where: { hash } }) : { count: 0 }
  if (!usable || count === 0) {
    throw unusableLinkError()
  }
  return { email: found.email, user: found.user }
}

const hashOf = (token: string) =>
  credentialKind(token) === 'emailToken' ? Uint8Array.from(hashCredential(token)) : undefined

/** Returns the error for an unusable link. The error is the same for every reason. */
export const unusableLinkError = () =>
  new AppError(
    'NOT_FOUND',
    'This link has expired, was already used, or was replaced by a newer one. Request a new link.',
  )
