'use server'
import { redirect } from 'next/navigation'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { revokeInvitation } from '@/lib/features/workspaces/list-invitations'
import {
  addProjectMember,
  removeProjectMember,
  setProjectMember,
} from '@/lib/features/workspaces/set-project-member'

const shown = '/workspaces/[slug]/projects/[id]'

/**
 * Adds or invites a user. If the user is invited, the response contains the invitation link, which no other
 * response contains.
 */
export const addProjectMemberAction = formAction(addProjectMember, shown)

export const setProjectRoleAction = changeAction(setProjectMember, shown)

/**
 * Removes a member. Users who remove themselves are redirected to the list of workspaces, because they might
 * no longer have access to this page.
 */
export const removeProjectMemberAction = changeAction(async (actor, { projectId = '', userId = '' }) => {
  await removeProjectMember(actor, projectId, userId)
  if (userId === actor.userId) redirect('/workspaces')
}, shown)

export const revokeProjectInvitationAction = changeAction(
  (actor, { id = '' }) => revokeInvitation(actor, id),
  shown,
)
