import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { OAuthClientSecret } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { type OAuthApp, requireApp } from './require-app'

/** One of an app's secrets as its page shows it. */
export type SecretSummary = Pick<
  OAuthClientSecret,
  'id' | 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>

/** Whether it is taken now; its end is judged by the database's clock (decision 110). */
export const isLive = ({ expiresAt }: SecretSummary): boolean =>
  expiresAt === null || expiresAt.getTime() > databaseNow()

/** Its columns; never the hash. */
export const secretSummary = {
  id: true,
  name: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const satisfies Record<keyof SecretSummary, true>

/**
 * An app with what its page shows: its secrets, the newest first, and how many people have authorized it.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function getApp(
  actor: Actor,
  id: string,
): Promise<OAuthApp & { secrets: SecretSummary[]; people: number }> {
  const app = await requireApp(actor, id)
  const [secrets, people] = await Promise.all([
    prisma().oAuthClientSecret.findMany({
      where: { clientId: id },
      orderBy: { id: 'desc' },
      select: secretSummary,
    }),
    prisma().authorization.count({ where: { clientId: id } }),
  ])
  return { ...app, secrets, people }
}
