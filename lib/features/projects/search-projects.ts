import { cutPage, type Page, type Slice } from '@/lib/base/db/keyset'
import { likeLiteral } from '@/lib/base/db/like-literal'
import { prisma } from '@/lib/base/db/prisma'
import type { Project } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { visibleProjects } from '@/lib/policy/visible'

/**
 * One page of the projects of a workspace that an actor sees and whose names hold a text, oldest first.
 * @param text anything; empty for all of them
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function searchProjects(
  actor: Actor,
  workspaceId: string,
  text: string,
  page: Page,
): Promise<Slice<Project>> {
  const literal = likeLiteral(text.trim().slice(0, 80))
  const named = literal && { name: { contains: literal, mode: 'insensitive' as const } }
  const bounds = { id: { gt: page.after ?? undefined, lt: page.before ?? undefined } }
  const rows = await prisma().project.findMany({
    where: { AND: [visibleProjects(actor), { workspaceId }, bounds, named || {}] },
    orderBy: { id: page.backward ? 'desc' : 'asc' },
    take: page.limit + 1,
  })
  return cutPage(page, rows)
}
