'use server'
import { config } from '@/lib/base/config/env'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import { removeMember } from '@/lib/features/workspaces/remove-member'

/** The user's own role decides the navigation, so the layout is rendered again too. */
const shown = '/workspaces/[slug]'

export const changeRoleAction = changeAction(changeMemberRole, shown)

export const removeMemberAction = changeAction(
  (actor, { workspaceId = '', userId = '' }) => removeMember(actor, workspaceId, userId),
  shown,
)

/** If the link is not emailed, the response of this request contains it for the inviter. */
export const inviteAction = formAction(async (actor, input) => {
  const { invitation, link, mailed } = await createInvitation(actor, input)
  const server = config().SMTP_URL !== undefined
  return { email: invitation.email, link: server && mailed ? null : link, server }
}, shown)

export const revokeInvitationAction = changeAction((actor, { id = '' }) => revokeInvitation(actor, id), shown)
