import { inOrderOf } from '@/lib/db/in-order-of'
import { statement } from '@/lib/db/statement'
import type { Role } from '@/lib/policy/roles'

/** A person in a workspace or project, as members see each other. */
export type MemberRow = {
  /** The workspace or project. */
  resourceId: string
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  createdAt: Date
}

const findMembers = statement<
  MemberRow,
  [workspaceIds: readonly string[], mostEach: number | null, most: number | null]
>(
  'list-workspace-members',
  `SELECT found.*
     FROM unnest($1::uuid[]) AS asked(id)
    CROSS JOIN LATERAL (
      SELECT m.workspace_id AS "resourceId", u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role,
             m.created_at AS "createdAt"
        FROM workspace_members m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = asked.id
       ORDER BY m.created_at, u.id LIMIT $2) found
    ORDER BY found."resourceId", found."createdAt", found.id LIMIT $3`,
)

/**
 * The members of several workspaces, those who joined first in front. One statement.
 * The caller has required `workspace:read-members` on each.
 * @param mostEach of each workspace, and `most` of all together; all of them unless given
 * @returns for each id, in order, its members
 */
export async function listMembers(
  workspaceIds: readonly string[],
  mostEach: number | null = null,
  most: number | null = null,
): Promise<MemberRow[][]> {
  return inOrderOf(workspaceIds, await findMembers(workspaceIds, mostEach, most), (row) => row.resourceId)
}
