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

/** The link of an invitation travels in the answer to this one request and is kept nowhere. */
export const addProjectMemberAction = formAction(addProjectMember, shown)

export const setProjectRoleAction = changeAction(setProjectMember, shown)

/** Whoever leaves may have no page left here. */
export const removeProjectMemberAction = changeAction(async (actor, { projectId = '', userId = '' }) => {
  await removeProjectMember(actor, projectId, userId)
  if (userId === actor.userId) redirect('/workspaces')
}, shown)

export const revokeProjectInvitationAction = changeAction(
  (actor, { id = '' }) => revokeInvitation(actor, id),
  shown,
)
