'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { revokeInvitation } from '@/lib/features/workspaces/invitations/revoke-invitation'
import { addProjectMember } from '@/lib/features/workspaces/members/add-project-member'
import { removeProjectMember, setProjectMember } from '@/lib/features/workspaces/members/set-project-member'

const showAnew = () => revalidatePath('/workspaces/[slug]/projects/[id]', 'layout')

/** The link of an invitation travels in the answer to this one request and is kept nowhere. */
export const addProjectMemberAction = async (previous: FormState<{ link?: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const added = await addProjectMember(actor, input)
    showAnew()
    return added
  })

export const setProjectRoleAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await setProjectMember(actor, input)
    showAnew()
    return true as const
  })

/** Whoever leaves may have no page left here. */
export const removeProjectMemberAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { projectId = '', userId = '' }) => {
    await removeProjectMember(actor, projectId, userId)
    if (userId === actor.userId) redirect('/workspaces')
    showAnew()
    return true as const
  })

export const revokeProjectInvitationAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeInvitation(actor, id)
    showAnew()
    return true as const
  })
