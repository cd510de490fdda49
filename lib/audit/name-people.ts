import { prisma } from '@/lib/db/prisma'
import type { AuditEvent } from '@/lib/generated/prisma/client'

/**
 * The names of those who did what is recorded, by id; whoever deleted their account is missing. One query.
 * The caller may read the events.
 */
export async function namePeople(
  events: readonly Pick<AuditEvent, 'userId'>[],
): Promise<Map<string, string>> {
  const people = await prisma().user.findMany({
    where: { id: { in: events.flatMap(({ userId }) => userId ?? []) } },
    select: { id: true, name: true },
  })
  return new Map(people.map(({ id, name }) => [id, name]))
}
