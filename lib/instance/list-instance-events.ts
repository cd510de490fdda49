import { cutPage, keysetQuery, type Page } from '@/lib/db/keyset'
import { prisma } from '@/lib/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/**
 * One page of everything recorded, in every workspace and beside them, the latest first, with the names of those who acted.
 * @param search the beginning of an action such as `person`, or the id of a resource
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listInstanceEvents(actor: Actor, search: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const wanted = search.trim()
  const rows = await prisma().auditEvent.findMany({
    where: {
      id: bounds,
      ...(wanted ? { OR: [{ action: { startsWith: wanted } }, { resourceId: wanted }] } : {}),
    },
    include: { workspace: { select: { name: true } } },
    ...window,
  })
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const people = await prisma().user.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const named = rows.map((row) => ({ ...row, person: row.userId ? names.get(row.userId) : undefined }))
  return cutPage(page, named)
}
