import { prisma } from '@/lib/base/db/prisma'
import { notify } from './notify'

/** How long before a token expires its owner is told. */
const warningDays = 7

/** Told in portions, so that no run holds the database up. */
const portion = 200

/**
 * Tells the owners of API tokens that are about to expire, once for each token. Runs regularly.
 * @returns how many tokens it looked at
 */
export async function warnOfExpiry(now = new Date()): Promise<number> {
  const horizon = new Date(now.getTime() + warningDays * 86_400_000)
  let seen = 0
  for (let after: string | undefined; ; ) {
    const tokens = await prisma().apiToken.findMany({
      where: { expiresAt: { gt: now, lte: horizon }, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: portion,
      include: { user: { select: { id: true, name: true, email: true } } },
    })
    await notify(
      prisma(),
      tokens.map(({ id, name, expiresAt, user }) => ({
        to: user,
        type: 'TOKEN_EXPIRING',
        title: `Your token "${name}" is about to expire`,
        body: `It stops working on ${expiresAt?.toISOString().slice(0, 10)}. Make a new one and replace it before then.`,
        resource: { type: 'api_token', id },
        path: '/account/tokens',
        inApp: true,
        email: true,
        dedupeKey: `token-expiring:${id}`,
      })),
    )
    seen += tokens.length
    if (tokens.length < portion) return seen
    after = tokens.at(-1)?.id
  }
}
