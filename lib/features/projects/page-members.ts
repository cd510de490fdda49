import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { MemberRow } from '@/lib/features/workspaces/list-members'
import type { Actor } from '@/lib/policy/actor'
import { requireProject } from '@/lib/policy/require'

/**
 * One page of those with a role in a project itself, in the order of their ids. Two statements, however many there are.
 * @throws AppError as `authorizeProject` for `project:read`
 */
export async function pageProjectMembers(
  actor: Actor,
  projectId: string,
  page: Page,
): Promise<Slice<MemberRow>> {
  const project = await requireProject(actor, 'project:read', projectId)
  const { bounds, orderBy, take } = keysetQuery(page)
  const rows = await prisma().projectMember.findMany({
    where: { projectId: project.id, userId: bounds },
    orderBy: { userId: orderBy.id },
    take,
    select: {
      role: true,
      createdAt: true,
      user: { select: { id: true, name: true, email: true, avatarUrl: true } },
    },
  })
  return cutPage(
    page,
    rows.map(({ user, ...member }) => ({
      ...user,
      ...member,
      resourceId: project.id,
      workspaceId: project.workspaceId,
      myRole: project.workspaceRole,
    })),
  )
}
