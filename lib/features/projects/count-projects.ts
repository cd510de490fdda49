import { likeLiteral } from '@/lib/base/db/like-literal'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import { visibleProjects } from '@/lib/policy/visible'

/** Which of the projects that an actor sees: those of one workspace, those whose names hold a text. */
export type ProjectFilter = { workspaceId?: string | null; search?: string | null }

/**
 * How many projects an actor sees.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export function countProjects(actor: Actor, { workspaceId, search }: ProjectFilter = {}): Promise<number> {
  const text = likeLiteral(search ?? '')
  const where = [
    visibleProjects(actor),
    workspaceId == null ? {} : { workspaceId: isId(workspaceId) ? workspaceId : { in: [] } },
    text ? { name: { contains: text, mode: 'insensitive' as const } } : {},
  ]
  return prisma().project.count({ where: { AND: where } })
}

/** The same for each of several workspaces. One statement. */
export async function countProjectsOf(actor: Actor, workspaceIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().project.groupBy({
    by: 'workspaceId',
    where: { AND: [visibleProjects(actor), { workspaceId: { in: [...workspaceIds] } }] },
    _count: true,
  })
  const counts = new Map(groups.map(({ workspaceId, _count }) => [workspaceId, _count]))
  return workspaceIds.map((id) => counts.get(id) ?? 0)
}
