import { prisma } from '@/lib/base/db/prisma'

/**
 * Says who did something. One statement. The caller has read what they did, so may know who did it.
 * @param rows records that name a person by id
 * @returns the records in their order, each with the person's name; null for one who is gone
 */
export async function namePeople<Row extends { userId: string | null }>(
  rows: readonly Row[],
): Promise<(Row & { person: string | null })[]> {
  const people = await prisma().user.findMany({
    where: { id: { in: rows.flatMap(({ userId }) => userId ?? []) } },
    select: { id: true, name: true },
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, person: names.get(row.userId ?? '') ?? null }))
}
