import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { isId, requireWorkspace, requireWorkspaces, type WorkspaceRow } from '@/lib/policy/require'
import type { MemberRow } from './list-members'
import { type Membership, memberColumns } from './member-columns'
import { unknownMember } from './members/find-member'

/**
 * One page of a workspace's members, in the order of their ids. Two statements, however many there are.
 * @throws AppError as `authorizeWorkspace` for `workspace:read-members`
 */
export async function pageMembers(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<CountedSlice<MemberRow>> {
  const workspace = await requireWorkspace(actor, 'workspace:read-members', workspaceId)
  const { bounds, orderBy, take } = keysetQuery(page)
  const where = { workspaceId: workspace.id }
  const rows = await prisma().workspaceMember.findMany({
    where: { ...where, userId: bounds },
    orderBy: { userId: orderBy.id },
    take,
    select: memberColumns,
  })
  return {
    ...cutPage(page, rows.map(rowIn(workspace))),
    count: () => prisma().workspaceMember.count({ where }),
  }
}

/**
 * One member of a workspace.
 * @throws AppError NOT_FOUND (no such member), and as `authorizeWorkspace` for `workspace:read-members`
 */
export async function readMember(actor: Actor, workspaceId: string, userId: string): Promise<MemberRow> {
  const workspace = await requireWorkspace(actor, 'workspace:read-members', workspaceId)
  const found = isId(userId)
    ? await prisma().workspaceMember.findUnique({
        where: { workspaceId_userId: { workspaceId: workspace.id, userId } },
        select: memberColumns,
      })
    : null
  if (!found) throw unknownMember(userId)
  return rowIn(workspace)(found)
}

/**
 * Several people as members of workspaces. Two statements, however many.
 * @param places a workspace and a person each
 * @returns for each, in order, the member; null for who is none any more, and the AppError of who may not see them
 */
export async function findMembers(
  actor: Actor,
  places: readonly { workspaceId: string; userId: string }[],
): Promise<(MemberRow | null | Error)[]> {
  const ids = [...new Set(places.map(({ workspaceId }) => workspaceId))]
  const decided = await requireWorkspaces(actor, 'workspace:read-members', ids)
  const workspaces = new Map(ids.map((id, index) => [id, decided[index]]))
  const rows = await prisma().workspaceMember.findMany({
    where: { workspaceId: { in: ids }, userId: { in: places.map(({ userId }) => userId) } },
    select: { ...memberColumns, workspaceId: true },
  })
  return places.map(({ workspaceId, userId }) => {
    const workspace = workspaces.get(workspaceId)
    if (!workspace || workspace instanceof Error) return workspace ?? null
    const found = rows.find((row) => row.workspaceId === workspaceId && row.user.id === userId)
    return found ? rowIn(workspace)(found) : null
  })
}

const rowIn =
  ({ id, role, appPolicy, appDecision }: WorkspaceRow) =>
  ({ user, role: own, createdAt }: Membership): MemberRow => ({
    ...user,
    role: own,
    createdAt,
    resourceId: id,
    workspaceId: id,
    myRole: role,
    appPolicy,
    appDecision,
  })
