import { inOrderOf } from '@/lib/base/db/in-order-of'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import type { AppRules } from '@/lib/policy/admission'
import { appRulesColumns } from '@/lib/policy/admitted'
import { clientIdOf } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/roles'
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
