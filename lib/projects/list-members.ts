import { inOrderOf } from '@/lib/db/in-order-of'
import { statement } from '@/lib/db/statement'
import type { MemberRow } from '@/lib/workspaces/list-members'

const findMembers = statement<MemberRow, [projectIds: readonly string[]]>(
  'list-project-members',
  `SELECT m.project_id AS "resourceId", u.id, u.name, u.email, u.avatar_url AS "avatarUrl", m.role,
          m.created_at AS "createdAt"
     FROM project_members m JOIN users u ON u.id = m.user_id
    WHERE m.project_id = ANY($1::uuid[])
    ORDER BY m.project_id, m.created_at, u.id`,
)

/**
 * The people with a role in several projects themselves; those who reach a project through its workspace are that
 * workspace's members. One statement. The caller has required `project:read` on each.
 * @returns for each id, in order, its members
 */
export async function listProjectMembers(projectIds: readonly string[]): Promise<MemberRow[][]> {
  return inOrderOf(projectIds, await findMembers(projectIds), (row) => row.resourceId)
}
