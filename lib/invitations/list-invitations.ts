import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/db/keyset'
import { prisma } from '@/lib/db/prisma'
import type { Invitation } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireInvitable } from './require-invitable'

/**
 * One page of the open invitations to a workspace, or to one project, oldest first. Takes the role ADMIN. Expired ones are
 * among them until they are revoked or sent anew, so that the inviter sees what became of them.
 * @throws as `authorizeWorkspace` or `authorizeProject`
 */
export async function listInvitations(
  actor: Actor,
  to: { workspaceId?: string; projectId?: string },
  page: Page,
): Promise<Slice<Invitation>> {
  const { workspaceId, projectId } = await requireInvitable(actor, to)
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().invitation.findMany({
    where: {
      workspaceId,
      projectId,
      id: bounds,
    },
    ...window,
  })
  return cutPage(page, rows)
}
