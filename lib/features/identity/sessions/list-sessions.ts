import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { liveSessions } from './lifetime'

/**
 * The person's live browser sessions, the latest used first.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function listSessions(actor: Actor) {
  authorizeAccount(actor)
  const sessions = await prisma().session.findMany({
    where: { userId: actor.userId, ...liveSessions() },
    orderBy: { lastUsedAt: 'desc' },
    take: 100,
    select: {
      id: true,
      ip: true,
      userAgent: true,
      methods: true,
      createdAt: true,
      lastUsedAt: true,
      expiresAt: true,
    },
  })
  const current = actor.kind === 'session' ? actor.sessionId : undefined
  return sessions.map((session) => ({ ...session, current: session.id === current }))
}
