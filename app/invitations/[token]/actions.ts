'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { acceptInvitation } from '@/lib/invitations/accept-invitation'
import type { FormState } from '@/lib/web/form-state'
import { submitForm } from '@/lib/web/submit-form'

export const acceptAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { token = '' }) => {
    const { slug } = await acceptInvitation(actor, token)
    revalidatePath('/', 'layout')
    redirect(`/workspaces/${slug}`)
  })
