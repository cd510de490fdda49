import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { type OAuthApp, requireApp } from './require-app'

/** One of an app's secrets as its page shows it. */
export type SecretSummary = { id: string; lastFour: string; createdAt: Date; lastUsedAt: Date | null }

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
      select: { id: true, lastFour: true, createdAt: true, lastUsedAt: true },
    }),
    prisma().authorization.count({ where: { clientId: id } }),
  ])
  return { ...app, secrets, people }
}
