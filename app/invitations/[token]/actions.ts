'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { acceptInvitation } from '@/lib/features/workspaces/invitations/accept-invitation'

export const acceptAction = changeAction(async (actor, { token = '' }) => {
  const { slug } = await acceptInvitation(actor, token)
  revalidatePath('/', 'layout')
  redirect(`/workspaces/${slug}`)
})
