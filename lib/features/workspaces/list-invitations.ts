import { pagesByParent } from '@/lib/base/db/lists'
import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent, recordEvents } from '@/lib/features/audit/record-event'
import type { Invitation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval } from '@/lib/policy/approvals'
import { type Role, roleIncludes } from '@/lib/policy/scopes'
import { requireInvitable } from './create-invitation'

/** An open invitation. `project` is null if the invitation is not limited to a project. */
export type OpenInvitation = Invitation & { project: { id: string; name: string } | null }

/**
 * Returns one page of the open invitations to a workspace or to one project, oldest first. Requires
 * `workspace:manage-members` or `project:manage-members`. Includes expired invitations until they are revoked
 * or replaced by a new invitation.
 * @param to the workspace or the project; `withProjects` includes the invitations to the workspace's projects
 * @throws the errors of `requireInvitable`
 */
export async function listInvitations(
  actor: Actor,
  to: { workspaceId?: string; projectId?: string; withProjects?: boolean },
  page: Page,
): Promise<CountedSlice<OpenInvitation>> {
  const { workspaceId, projectId } = await requireInvitable(actor, to)
  const { bounds, ...window } = keysetQuery(page)
  const where = {
    workspaceId,
    projectId: to.withProjects && projectId === null ? undefined : projectId,
  }
  const rows = await prisma().invitation.findMany({
    where: { ...where, id: bounds },
    include: { project: { select: { id: true, name: true } } },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().invitation.count({ where }) }
}

/**
 * Reads pages of the open invitations to several workspaces and their projects, oldest first, and counts the
 * invitations. Includes expired invitations. The caller must first check `workspace:manage-members` for each
 * workspace.
 */
export const invitationsOf = pagesByParent(
  'invitations-of',
  { table: 'invitations', parent: 'workspace_id' },
  (ids) => prisma().invitation.findMany({ where: { id: { in: ids } } }),
)

/**
 * An open invitation in a console list. The project is null if the invitation is not limited to a project.
 */
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
 * Searches the open invitations to a workspace and its projects, or to one project, and returns one page in
 * natural order of the email addresses. The email address or the project's name must contain the text. Case
 * is ignored. Requires `workspace:manage-members` or `project:manage-members`. Includes expired invitations.
 * @param text any text; an empty text matches all
 * @throws the errors of `requireInvitable`
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

/**
 * Revokes an invitation, so that its link stops working. Requires `workspace:manage-members` or
 * `project:manage-members`.
 * @throws AppError NOT_FOUND, and the errors of `requireInvitable`
 */
export async function revokeInvitation(actor: Actor, id: string): Promise<void> {
  const unknown = new AppError('NOT_FOUND', 'The invitation was not found, or you don’t have access to it.', {
    resource: { type: 'invitation', id },
  })
  const invitation = isId(id) ? await prisma().invitation.findUnique({ where: { id } }) : null
  if (!invitation) throw unknown
  bindApproval(actor, { email: invitation.email, role: invitation.role })
  // If the caller has no access to the workspace or project, throw an error that names only the invitation,
  // because the original error contains the ID of the workspace or project.
  await requireInvitable(actor, invitation).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknown : error
  })
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.invitation.deleteMany({ where: { id: invitation.id } })
    if (count === 0) throw unknown
    await recordEvent(tx, actor, {
      action: 'invitation.revoked',
      resource: { type: 'invitation', id: invitation.id },
      workspaceId: invitation.workspaceId,
      details: { email: invitation.email },
    })
  })
}

/**
 * Revokes open invitations of users whom an admin removes or gives a lower role. Users can have such an
 * invitation if they joined through SSO instead. With it, they could otherwise undo the admin's change.
 * @param to the workspace or, with `projectId`, the project; other invitations remain
 * @param role the users' new role, so that only invitations with a higher role are revoked; by default, all
 */
export async function withdrawInvitations(
  tx: Db,
  actor: Actor,
  to: { workspaceId: string; projectId: string | null },
  userIds: readonly string[],
  role?: Role,
): Promise<void> {
  if (userIds.length === 0) return
  const users = await tx.user.findMany({ where: { id: { in: [...userIds] } }, select: { email: true } })
  const open = await tx.invitation.findMany({
    where: { ...to, email: { in: users.map(({ email }) => email) } },
    select: { id: true, email: true, role: true },
  })
  const revoked = open.filter((each) => !roleIncludes(role, each.role))
  if (revoked.length === 0) return
  await tx.invitation.deleteMany({ where: { id: { in: revoked.map(({ id }) => id) } } })
  await recordEvents(
    tx,
    actor,
    revoked.map(({ id, email }) => ({
      action: 'invitation.revoked',
      resource: { type: 'invitation', id },
      workspaceId: to.workspaceId,
      details: { email },
    })),
  )
}
