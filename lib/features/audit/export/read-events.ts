import { firstIdAt, highestId, lowestId } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import { nameEvents } from '../name-events'
import { type DescribedEvent, describeEvent } from './describe-event'

/** Rows that one statement looks at, whether it finds any that are wanted or not: so none takes long. */
const step = 1_000

/** Which events to read. */
export type Wanted = {
  /** The part of the log that an index leads to: a workspace's, or all of it. */
  place: Prisma.AuditEventWhereInput
  /** What must be true besides. */
  where: Prisma.AuditEventWhereInput
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/**
 * Reads events, the oldest first, a thousand rows of the log at a time; between two reads nothing is held, neither a
 * connection nor a snapshot.
 * @param now what is recorded from here on is not read
 * @yields the wanted ones among each thousand, described; never nothing
 */
export async function* readEvents(
  { place, where, since, until }: Wanted,
  now: Date,
): AsyncGenerator<DescribedEvent[]> {
  const end = firstIdAt(until && until < now ? until : now)
  let begin: Prisma.UuidFilter = { gte: since ? firstIdAt(since) : lowestId }
  for (;;) {
    const [edge] = await prisma().auditEvent.findMany({
      where: { AND: [place, { id: { ...begin, lt: end } }] },
      select: { id: true },
      orderBy: { id: 'asc' },
      skip: step - 1,
      take: 1,
    })
    const rows = await prisma().auditEvent.findMany({
      where: { AND: [place, where, { id: { ...begin, lt: end, lte: edge?.id ?? highestId } }] },
      orderBy: { id: 'asc' },
    })
    if (rows.length > 0) yield (await nameEvents(rows)).map(describeEvent)
    if (!edge) return
    begin = { gt: edge.id }
  }
}
