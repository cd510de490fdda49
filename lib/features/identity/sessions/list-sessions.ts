import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { liveSessions } from './lifetime'

/**
 * One page of the person's live browser sessions, the latest sign-in first.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function pageSessions(actor: Actor, page: Page): Promise<CountedSlice<SessionSummary>> {
  authorizeAccount(actor)
  const where = { AND: [{ userId: actor.userId }, liveSessions()] }
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().session.findMany({
    where: { ...where, id: bounds },
    select: columns,
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().session.count({ where }) }
}

/** Those of several ids that are the person's and live, in any order. @throws as `pageSessions` */
export async function readSessions(actor: Actor, ids: readonly string[]): Promise<SessionSummary[]> {
  authorizeAccount(actor)
  const where = { AND: [{ userId: actor.userId, id: { in: ids.filter(isId) } }, liveSessions()] }
  return prisma().session.findMany({ where, select: columns })
}

const columns = {
  id: true,
  ip: true,
  userAgent: true,
  methods: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const satisfies Prisma.SessionSelect

/** A browser session as its person sees it. */
export type SessionSummary = Prisma.SessionGetPayload<{ select: typeof columns }>
