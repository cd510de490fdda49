import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Invitation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireInvitable } from './require-invitable'

/** An open invitation as a page of the console lists it; with the project, where it is to one alone. */
export type InvitationInList = Pick<Invitation, 'id' | 'email' | 'role' | 'createdAt' | 'expiresAt'> & {
  projectId: string | null
  project: string | null
}

const find = statement<
  InvitationInList & { total: number },
  [workspaceId: string, projectId: string | null, text: string, limit: number, offset: number]
>(
  'search-invitations',
  `SELECT i.id, i.email, i.role::text AS role, i.created_at AS "createdAt", i.expires_at AS "expiresAt",
          i.project_id AS "projectId", p.name AS project, (count(*) OVER ())::int AS total
     FROM invitations i LEFT JOIN projects p ON p.id = i.project_id
    WHERE i.workspace_id = $1 AND ($2::uuid IS NULL OR i.project_id = $2)
      AND (i.email ILIKE '%' || $3 || '%' OR p.name ILIKE '%' || $3 || '%')
    ORDER BY i.email COLLATE natural_order, i.id LIMIT $4 OFFSET $5`,
)

/**
 * One page of the open invitations whose addresses, or the names of whose projects, hold a text, in natural order: those to a workspace and its
 * projects, or to one project alone. Takes `workspace:manage-members` or `project:manage-members`. Expired ones are among them.
 * @param text anything; empty for all of them
 * @throws as `authorizeWorkspace` or `authorizeProject`
 */
export async function searchInvitations(
  actor: Actor,
  to: { workspaceId: string } | { projectId: string },
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<InvitationInList>> {
  const { workspaceId, projectId } = await requireInvitable(actor, to)
  return readNumbered(page, (limit, offset) =>
    find(workspaceId, projectId, searchLiteral(text), limit, offset),
  )
}
