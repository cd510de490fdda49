import { prisma } from '@/lib/base/db/prisma'
import { rolesWith } from '@/lib/policy/permissions'
import { type Notice, notify, person, secretWords, tokenWords } from './notify'

/** How long before something expires people are told. */
const warningDays = 7

/** Told in portions, so that no run holds the database up. */
const portion = 200

/**
 * Tells the owners of API tokens that are about to expire, and the admins of apps whose client secrets are, once for each. Runs
 * regularly.
 */
export async function warnOfExpiry(now = new Date()): Promise<void> {
  const expiresAt = { gt: now, lte: new Date(now.getTime() + warningDays * 86_400_000) }
  await tellInPortions((after) => endingTokens(expiresAt, after))
  await tellInPortions((after) => endingSecrets(expiresAt, after))
}

/** What ends, by id, with what is told of each. */
type Ending = { id: string; notices: Notice[] }

async function tellInPortions(read: (after: string | undefined) => Promise<Ending[]>): Promise<void> {
  for (let after: string | undefined; ; ) {
    const ending = await read(after)
    await notify(
      prisma(),
      ending.flatMap(({ notices }) => notices),
    )
    if (ending.length < portion) return
    after = ending.at(-1)?.id
  }
}

type Span = { gt: Date; lte: Date }

async function endingTokens(expiresAt: Span, after: string | undefined): Promise<Ending[]> {
  const tokens = await prisma().apiToken.findMany({
    where: { expiresAt, id: { gt: after } },
    orderBy: { id: 'asc' },
    take: portion,
    include: { user: person },
  })
  return tokens.map(({ id, name, expiresAt: end, user }) => ({
    id,
    notices: [
      {
        to: user,
        type: 'TOKEN_EXPIRING',
        words: tokenWords(name, end),
        resource: { type: 'api_token', id },
        path: '/account/tokens',
        inApp: true,
        email: true,
        dedupeKey: `token-expiring:${id}`,
      },
    ],
  }))
}

/** Whoever may make another is told. */
const manager = {
  where: { role: { in: rolesWith('workspace:manage-secrets') } },
  select: { user: person },
}

async function endingSecrets(expiresAt: Span, after: string | undefined): Promise<Ending[]> {
  const secrets = await prisma().oAuthClientSecret.findMany({
    where: { expiresAt, id: { gt: after } },
    orderBy: { id: 'asc' },
    take: portion,
    include: { client: { include: { workspace: { include: { members: manager } } } } },
  })
  return secrets.map(({ id, name, lastFour, expiresAt: end, client }) => ({
    id,
    notices: (client.workspace?.members ?? []).map(({ user }) => ({
      to: user,
      workspaceId: client.workspace?.id,
      type: 'TOKEN_EXPIRING',
      words: secretWords({ name, lastFour, app: client.name }, end),
      resource: { type: 'oauth_app', id: client.id },
      path: `/workspaces/${client.workspace?.slug}/settings/developer/${client.id}/credentials`,
      inApp: true,
      email: true,
      dedupeKey: `secret-expiring:${id}:${user.id}`,
    })),
  }))
}
