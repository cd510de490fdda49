import { createHash } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'

/** What an answer may be used for. */
export type ChallengePurpose = 'registration' | 'sign-in' | 'second-step'

/** Longer than a browser's dialogue stays open. */
const lifetimeMs = 5 * 60 * 1000

const hashOf = (challenge: string) => Uint8Array.from(createHash('sha256').update(challenge).digest())

/**
 * Remembers a challenge that is handed out.
 * @param challenge base64url, as in the options
 * @param userId for whom; undefined when nobody is known yet
 */
export async function keepChallenge(
  challenge: string,
  purpose: ChallengePurpose,
  userId?: string,
): Promise<void> {
  const expiresAt = new Date(databaseNow() + lifetimeMs)
  await prisma().$transaction([
    prisma().webauthnChallenge.create({ data: { hash: hashOf(challenge), purpose, userId, expiresAt } }),
    prisma().webauthnChallenge.deleteMany({ where: { expiresAt: { lt: new Date(databaseNow()) } } }),
  ])
}

/**
 * Takes an answered challenge back, once.
 * @returns whether it was handed out for this purpose and this person (or for nobody in particular), and not too long ago
 */
export async function spendChallenge(
  challenge: string,
  purpose: ChallengePurpose,
  userId?: string,
): Promise<boolean> {
  const { count } = await prisma().webauthnChallenge.deleteMany({
    where: {
      hash: hashOf(challenge),
      purpose,
      userId: userId ?? null,
      expiresAt: { gt: new Date(databaseNow()) },
    },
  })
  return count === 1
}
