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
import type { Actor } from '@/lib/policy/actor'
import { type AppRules, appRulesColumns } from '@/lib/policy/app-policy'
import { clientIdOf, requireWorkspace, requireWorkspaces, type WorkspaceRow } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { roleInWorkspace, workspaceById } from '@/lib/policy/visible'
import { unknownMember } from './change-member'

/** A person in a workspace or project, as members see each other. */
export type MemberRow = AppRules & {
  /** The workspace or project. */
  resourceId: string
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  createdAt: Date
  /** The workspace, or the project's, the role in it of the person who looks, and its rules for the app that asks. */
  workspaceId: string
  myRole: Role | null
}

const findMembersOfListMembers = statement<
  MemberRow,
  [
    userId: string | null,
    workspaceIds: readonly string[],
    mostEach: number | null,
    most: number | null,
    clientId: string | null,
  ]
>(
  'list-workspace-members',
  `SELECT m.workspace_id AS "resourceId", u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role,
          m.created_at AS "createdAt", asked.id AS "workspaceId", wm.role AS "myRole",
          ${appRulesColumns('$5')}
     FROM unnest($2::uuid[]) AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
    CROSS JOIN LATERAL (
      SELECT * FROM workspace_members WHERE workspace_id = asked.id ORDER BY created_at, user_id LIMIT $3) m
     JOIN users u ON u.id = m.user_id
    ORDER BY m.workspace_id, m.created_at, m.user_id LIMIT $4`,
)

/**
 * The members of several workspaces, those who joined first in front. One statement.
 * The caller has required `workspace:read-members` on each.
 * @param mostEach of each workspace, and `most` of all together; all of them unless given
 * @returns for each id, in order, its members
 */
export async function listMembers(
  actor: Actor,
  workspaceIds: readonly string[],
  mostEach: number | null = null,
  most: number | null = null,
): Promise<MemberRow[][]> {
  const rows = await findMembersOfListMembers(actor.userId, workspaceIds, mostEach, most, clientIdOf(actor))
  return inOrderOf(workspaceIds, rows, (row) => row.resourceId)
}

/** SQL: joins `m` and `u`, the members of the workspace `w`; who may read them is for the caller to ask. */
export const membersOfWorkspace =
  'JOIN workspace_members m ON m.workspace_id = w.id JOIN users u ON u.id = m.user_id'

/** A member as a page of the console lists them. */
export type ListedMember = Pick<MemberRow, 'id' | 'name' | 'email' | 'avatarUrl' | 'role' | 'createdAt'>

const findByText = statement<
  ListedMember & { total: number },
  [workspaceId: string, text: string, role: Role | null, limit: number, offset: number]
>(
  'search-workspace-members',
  `SELECT u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role, m.created_at AS "createdAt",
          (count(*) OVER ())::int AS total
     FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = $1 AND (u.name ILIKE '%' || $2 || '%' OR u.email ILIKE '%' || $2 || '%')
      AND ($3::text IS NULL OR m.role::text = $3)
    ORDER BY u.name COLLATE natural_order, u.id LIMIT $4 OFFSET $5`,
)

/**
 * One page of a workspace's members whose names or addresses hold a text, in natural order. One statement.
 * The caller has required `workspace:read-members`.
 * @param text anything; empty for all of them
 * @param role those who have it alone
 */
export const searchMembers = (
  workspaceId: string,
  text: string,
  role: Role | null,
  page: NumberedPage,
): Promise<NumberedRows<ListedMember>> => {
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => findByText(workspaceId, literal, role, limit, offset))
}

/** What is read of somebody's membership, of a workspace or a project alike. */
export const memberColumns = {
  role: true,
  createdAt: true,
  user: { select: { id: true, name: true, email: true, avatarUrl: true } },
} as const

/** A membership as `memberColumns` reads it. */
export type Membership = Pick<MemberRow, 'role' | 'createdAt'> & {
  user: Pick<MemberRow, 'id' | 'name' | 'email' | 'avatarUrl'>
}

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
