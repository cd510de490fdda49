'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { acceptInvitation } from '@/lib/features/workspaces/invitations/accept-invitation'

export const acceptAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { token = '' }) => {
    const { slug } = await acceptInvitation(actor, token)
    revalidatePath('/', 'layout')
    redirect(`/workspaces/${slug}`)
  })
