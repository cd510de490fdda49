import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import type { MemberRow } from './list-members'

/**
 * One page of a workspace's members, in the order of their ids. Two statements, however many there are.
 * @throws AppError as `authorizeWorkspace` for `workspace:read-members`
 */
export async function pageMembers(actor: Actor, workspaceId: string, page: Page): Promise<Slice<MemberRow>> {
  const workspace = await requireWorkspace(actor, 'workspace:read-members', workspaceId)
  const { bounds, orderBy, take } = keysetQuery(page)
  const rows = await prisma().workspaceMember.findMany({
    where: { workspaceId: workspace.id, userId: bounds },
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
      resourceId: workspace.id,
      workspaceId: workspace.id,
      myRole: workspace.role,
    })),
  )
}
