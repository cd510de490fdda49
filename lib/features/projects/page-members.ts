import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { MemberRow } from '@/lib/features/workspaces/list-members'
import { type Membership, memberColumns } from '@/lib/features/workspaces/member-columns'
import { unknownMember } from '@/lib/features/workspaces/members/find-member'
import type { Actor } from '@/lib/policy/actor'
import { isId, type ProjectRow, requireProject } from '@/lib/policy/require'

/**
 * One page of those with a role in a project itself, in the order of their ids. Two statements, however many there are.
 * @throws AppError as `authorizeProject` for `project:read-members`
 */
export async function pageProjectMembers(
  actor: Actor,
  projectId: string,
  page: Page,
): Promise<CountedSlice<MemberRow>> {
  const project = await requireProject(actor, 'project:read-members', projectId)
  const { bounds, orderBy, take } = keysetQuery(page)
  const where = { projectId: project.id }
  const rows = await prisma().projectMember.findMany({
    where: { ...where, userId: bounds },
    orderBy: { userId: orderBy.id },
    take,
    select: memberColumns,
  })
  return {
    ...cutPage(page, rows.map(rowIn(project))),
    count: () => prisma().projectMember.count({ where }),
  }
}

/**
 * One person with a role in a project itself.
 * @throws AppError NOT_FOUND (no such member), and as `authorizeProject` for `project:read-members`
 */
export async function readProjectMember(actor: Actor, projectId: string, userId: string): Promise<MemberRow> {
  const project = await requireProject(actor, 'project:read-members', projectId)
  const found = isId(userId)
    ? await prisma().projectMember.findUnique({
        where: { projectId_userId: { projectId: project.id, userId } },
        select: memberColumns,
      })
    : null
  if (!found) throw unknownMember(userId)
  return rowIn(project)(found)
}

const rowIn =
  (project: ProjectRow) =>
  ({ user, ...member }: Membership): MemberRow => ({
    ...user,
    ...member,
    resourceId: project.id,
    workspaceId: project.workspaceId,
    myRole: project.workspaceRole,
    appPolicy: project.appPolicy,
    appDecision: project.appDecision,
  })
