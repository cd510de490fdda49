import { prisma } from '@/lib/base/db/prisma'
import { rolesWith } from '@/lib/policy/permissions'
import { type Notice, notify, recipientColumns, secretExpiryNotice, tokenExpiryNotice } from './notify'

/** The number of days before the expiry at which the warning is sent. */
const warningDays = 7

/**
 * The number of credentials to read per query. This number limits the memory use and the number of
 * notifications in one INSERT statement.
 */
const portion = 200

/**
 * Warns the owners of API tokens that expire soon, and the admins of apps whose client secrets expire soon.
 * Sends each recipient only one warning per credential, even if this function runs again. Runs on a schedule.
 */
export async function warnOfExpiry(now = new Date()): Promise<void> {
  const expiresAt = { gt: now, lte: new Date(now.getTime() + warningDays * 86_400_000) }
  await notifyInBatches((after) => endingTokens(expiresAt, after))
  await notifyInBatches((after) => endingSecrets(expiresAt, after))
}

/** The ID of a credential that expires soon, and the notices about it. */
type Ending = { id: string; notices: Notice[] }

async function notifyInBatches(read: (after: string | undefined) => Promise<Ending[]>): Promise<void> {
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
    include: { user: recipientColumns },
  })
  return tokens.map(({ id, name, expiresAt: end, user }) => ({
    id,
    notices: [
      {
        to: user,
        type: 'TOKEN_EXPIRING',
        words: tokenExpiryNotice(name, end),
        resource: { type: 'api_token', id },
        path: '/account/tokens',
        inApp: true,
        email: true,
        dedupeKey: `token-expiring:${id}`,
      },
    ],
  }))
}

/** The members who are warned about a client secret, because they can create a replacement. */
const manager = {
  where: { role: { in: rolesWith('workspace:manage-secrets') } },
  select: { user: recipientColumns },
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
      words: secretExpiryNotice({ name, lastFour, app: client.name }, end),
      resource: { type: 'oauth_app', id: client.id },
      path: `/workspaces/${client.workspace?.slug}/settings/developer/${client.id}/credentials`,
      inApp: true,
      email: true,
      dedupeKey: `secret-expiring:${id}:${user.id}`,
    })),
  }))
}
