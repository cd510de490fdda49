import { type CountedSlice, cutPage, inOrderOf, keysetQuery, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement, type Timestamp } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { type AppRules, appRulesColumns } from '@/lib/policy/app-policy'
import { clientIdOf, requireWorkspace, requireWorkspaces, type WorkspaceRow } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { roleInWorkspace, workspaceById } from '@/lib/policy/visible'
import { unknownMember } from './change-member'

/** A member of a workspace or project as shown to other members. */
export type MemberRow = AppRules & {
  /** The ID of the workspace or project. */
  resourceId: string
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  createdAt: Timestamp
  /**
   * The ID of the workspace, or of the project's workspace. `myRole` is the caller's role in this workspace,
   * or null if there is none.
   */
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
  { textTimes: true },
)

/**
 * Returns the members of several workspaces, earliest first. Uses one statement. The caller must first check
 * `workspace:read-members` for each workspace.
 * @param mostEach the maximum number of members of each workspace, or null for no limit
 * @param most the maximum number of members of all workspaces together, or null for no limit
 * @returns the members of each workspace, in the order of `workspaceIds`
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

/**
 * SQL that joins the memberships `m` and the users `u` of the workspace `w`. Code that uses it must check the
 * permission.
 */
export const membersOfWorkspace =
  'JOIN workspace_members m ON m.workspace_id = w.id JOIN users u ON u.id = m.user_id'

/** A member in a console list. */
export type ListedMember = Pick<MemberRow, 'id' | 'name' | 'email' | 'avatarUrl' | 'role'> & {
  createdAt: Date
}

/** The columns to read of a workspace or project membership and its user. */
export const memberColumns = {
  role: true,
  createdAt: true,
  user: { select: { id: true, name: true, email: true, avatarUrl: true } },
} as const

/** A membership with the columns of `memberColumns`. */
export type Membership = Pick<MemberRow, 'role' | 'createdAt'> & {
  user: Pick<MemberRow, 'id' | 'name' | 'email' | 'avatarUrl'>
}

/**
 * Returns one page of a workspace's members, in the order of their IDs. The number of statements does not
 * depend on the number of members.
 * @throws the errors of `requireWorkspace` for `workspace:read-members`
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
 * Returns one member of a workspace.
 * @throws AppError NOT_FOUND (no such member), and the errors of `requireWorkspace` for
 * `workspace:read-members`
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
 * Looks up memberships in one or more workspaces. The number of statements does not depend on the number of
 * memberships.
 * @param places pairs of a workspace ID and a user ID
 * @returns for each pair, in order: the member, null if the user is no longer a member, or the error of
 * `requireWorkspaces` if the actor cannot read the members of the workspace
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
