'use server'
import { revalidatePath } from 'next/cache'
import type { SentInvitation } from '@/components/invitations/invite-form'
import { config } from '@/lib/base/config/env'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { createInvitation } from '@/lib/features/workspaces/invitations/create-invitation'
import { revokeInvitation } from '@/lib/features/workspaces/invitations/revoke-invitation'
import { changeMemberRole } from '@/lib/features/workspaces/members/change-member-role'
import { removeMember } from '@/lib/features/workspaces/members/remove-member'

/** A person's own role decides what their rail shows, so the layout is drawn anew too. */
const workspacePages = () => revalidatePath('/workspaces/[slug]', 'layout')

export const changeRoleAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await changeMemberRole(actor, input)
    workspacePages()
    return true as const
  })

export const removeMemberAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { workspaceId = '', userId = '' }) => {
    await removeMember(actor, workspaceId, userId)
    workspacePages()
    return true as const
  })

/** Where it is not mailed the link travels in the answer to this one request, for the inviter to hand over. */
export const inviteAction = async (previous: FormState<SentInvitation>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const { invitation, link, mailed } = await createInvitation(actor, input)
    workspacePages()
    const server = config().SMTP_URL !== undefined
    return { email: invitation.email, link: server && mailed ? null : link, server }
  })

export const revokeInvitationAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeInvitation(actor, id)
    workspacePages()
    return true as const
  })
