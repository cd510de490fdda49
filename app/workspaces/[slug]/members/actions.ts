'use server'
import { config } from '@/lib/base/config/env'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import { removeMember } from '@/lib/features/workspaces/remove-member'

/** A person's own role decides what their rail shows, so the layout is drawn anew too. */
const shown = '/workspaces/[slug]'

export const changeRoleAction = changeAction(changeMemberRole, shown)

export const removeMemberAction = changeAction(
  (actor, { workspaceId = '', userId = '' }) => removeMember(actor, workspaceId, userId),
  shown,
)

/** Where it is not mailed the link travels in the answer to this one request, for the inviter to hand over. */
export const inviteAction = formAction(async (actor, input) => {
  const { invitation, link, mailed } = await createInvitation(actor, input)
  const server = config().SMTP_URL !== undefined
  return { email: invitation.email, link: server && mailed ? null : link, server }
}, shown)

export const revokeInvitationAction = changeAction((actor, { id = '' }) => revokeInvitation(actor, id), shown)
