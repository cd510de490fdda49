import { inOrderOf } from '@/lib/base/db/in-order-of'
import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type AppRules, appRulesColumns } from '@/lib/policy/app-policy'
import { clientIdOf } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { roleInWorkspace, workspaceById } from '@/lib/policy/visible'

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

const findMembers = statement<
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
  const rows = await findMembers(actor.userId, workspaceIds, mostEach, most, clientIdOf(actor))
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
