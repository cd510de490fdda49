import {
  type CountedSlice,
  cutPage,
  inOrderOf,
  keysetQuery,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { unknownMember } from '@/lib/features/workspaces/change-member'
import {
  type ListedMember,
  type MemberRow,
  type Membership,
  memberColumns,
} from '@/lib/features/workspaces/list-members'
import type { Actor } from '@/lib/policy/actor'
import { appRulesColumns } from '@/lib/policy/app-policy'
import { authorizeBeyondEnvironment } from '@/lib/policy/authorize'
import { clientIdOf, type ProjectRow, requireProject } from '@/lib/policy/require'
import { roleInWorkspace, workspaceById } from '@/lib/policy/visible'

const findMembers = statement<
  MemberRow,
  [
    userId: string | null,
    projectIds: readonly string[],
    mostEach: number | null,
    most: number | null,
    clientId: string | null,
  ]
>(
  'list-project-members',
  `SELECT m.project_id AS "resourceId", u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role,
          m.created_at AS "createdAt", p.workspace_id AS "workspaceId", wm.role AS "myRole",
          ${appRulesColumns('$5')}
     FROM unnest($2::uuid[]) AS asked(id)
     JOIN projects p ON p.id = asked.id ${workspaceById('p.workspace_id')} ${roleInWorkspace()}
    CROSS JOIN LATERAL (
      SELECT * FROM project_members WHERE project_id = asked.id ORDER BY created_at, user_id LIMIT $3) m
     JOIN users u ON u.id = m.user_id
    ORDER BY m.project_id, m.created_at, m.user_id LIMIT $4`,
  { textTimes: true },
)

/**
 * Returns the users with a direct role in each project. Excludes users who have a role only in the workspace.
 * Uses one statement. The caller must first check `project:read` for each project.
 * @param mostEach the maximum number of members of each project, or null for no limit
 * @param most the maximum number of members of all projects together, or null for no limit
 * @returns a list for each project, in the order of the IDs; in each list, the member who was added first
 * comes first
 * @throws AppError RESOURCE_NOT_SHARED if the token is limited to one environment, because such a token
 * cannot read members
 */
export async function listProjectMembers(
  actor: Actor,
  projectIds: readonly string[],
  mostEach: number | null = null,
  most: number | null = null,
): Promise<MemberRow[][]> {
  for (const id of projectIds) authorizeBeyondEnvironment(actor, 'project:read-members', id)
  const rows = await findMembers(actor.userId, projectIds, mostEach, most, clientIdOf(actor))
  return inOrderOf(projectIds, rows, (row) => row.resourceId)
}

const findByText = statement<
  ListedMember & { total: number },
  [projectId: string, text: string, limit: number, offset: number]
>(
  'search-project-members',
  `SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role, m.created_at AS "createdAt",
          (count(*) OVER ())::int AS total
     FROM project_members m JOIN users u ON u.id = m.user_id
    WHERE m.project_id = $1 AND (u.name ILIKE '%' || $2 || '%' OR u.email ILIKE '%' || $2 || '%')
    ORDER BY u.name COLLATE natural_order, u.id LIMIT $3 OFFSET $4`,
)

/**
 * Returns one page of the users who have a direct role in a project and whose name or email address contains
 * a text, in natural order of their names. Returns the first page if the requested page is empty. The caller
 * must first check `project:read`.
 * @param text any text; only the first 80 characters are used, and an empty text matches all
 * @throws AppError RESOURCE_NOT_SHARED if the token is limited to one environment
 */
export async function searchProjectMembers(
  actor: Actor,
  projectId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<ListedMember>> {
  authorizeBeyondEnvironment(actor, 'project:read-members', projectId)
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => findByText(projectId, literal, limit, offset))
}

/**
 * Returns one page of the users with a direct role in a project, ordered by user ID. The number of statements
 * does not depend on the number of users. Requires `project:read-members`.
 * @throws the errors of `requireProject`
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
 * Returns one user with a direct role in a project. Requires `project:read-members`.
 * @throws AppError NOT_FOUND (no such member), and the errors of `requireProject`
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
