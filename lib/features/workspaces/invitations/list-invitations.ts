import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { listEach } from '@/lib/base/db/list-each'
import { prisma } from '@/lib/base/db/prisma'
import type { Invitation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireInvitable } from './require-invitable'

/** An open invitation, with the project it is to alone. */
export type OpenInvitation = Invitation & { project: { id: string; name: string } | null }

/**
 * One page of the open invitations to a workspace, or to one project, oldest first. Takes `workspace:manage-members` or `project:manage-members`. Expired ones are
 * among them until they are revoked or sent anew, so that the inviter sees what became of them.
 * @param to with `workspaceId`, `withProjects` adds the invitations to its projects alone
 * @throws as `authorizeWorkspace` or `authorizeProject`
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

/** The open invitations to several workspaces and their projects, oldest first. The caller has required `workspace:manage-members` on each. */
export const invitationsOf = listEach(
  'invitations-of',
  { table: 'invitations', parent: 'workspace_id' },
  (ids) => prisma().invitation.findMany({ where: { id: { in: ids } } }),
)
