'use server'
import { config } from '@/lib/base/config/env'
import { linesOf } from '@/lib/base/http/body'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { changeMemberRoles } from '@/lib/features/workspaces/change-member'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import { removeMembers } from '@/lib/features/workspaces/remove-member'

/** The path to revalidate. It includes the layout, because the navigation depends on the user's own role. */
const shown = '/workspaces/[slug]'

export const changeRolesAction = changeAction(
  (actor, { userIds, ...input }) => changeMemberRoles(actor, { ...input, userIds: linesOf(userIds) }),
  shown,
)

export const removeMembersAction = changeAction(
  (actor, { workspaceId, userIds }) => removeMembers(actor, { workspaceId, userIds: linesOf(userIds) }),
  shown,
)

/** Creates an invitation. If the link is not emailed, the response contains the link for the inviter. */
export const inviteAction = formAction(async (actor, input) => {
  const { invitation, link, mailed } = await createInvitation(actor, input)
  const server = config().SMTP_URL !== undefined
  return { email: invitation.email, link: server && mailed ? null : link, server }
}, shown)

export const revokeInvitationAction = changeAction((actor, { id = '' }) => revokeInvitation(actor, id), shown)
