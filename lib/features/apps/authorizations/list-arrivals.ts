import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { SessionActor } from '@/lib/policy/actor'
import { type AuthorizedApp, readAuthorizations } from './list-authorizations'

const withinMs = 3_600_000
const most = 5

/** An app that came lately, and when: when it was let in, or used last. */
export type Arrival = Pick<AuthorizedApp, 'id' | 'app'> & { at: Date }

/** The apps that a person let in, or that acted for them, within the last hour; the latest first, at most five. */
export async function listArrivals(actor: SessionActor): Promise<Arrival[]> {
  const since = { gt: new Date(databaseNow() - withinMs) }
  const recent = await prisma().authorization.findMany({
    where: { userId: actor.userId, OR: [{ createdAt: since }, { lastUsedAt: since }] },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 50,
  })
  const rows = await readAuthorizations(
    actor,
    recent.map(({ id }) => id),
  )
  return rows
    .map(({ id, app, createdAt, lastUsedAt }) => ({ id, app, at: later(createdAt, lastUsedAt) }))
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, most)
}

const later = (one: Date, other: Date | null): Date => (other && other > one ? other : one)
