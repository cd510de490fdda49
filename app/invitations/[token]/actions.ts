'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { sayToVisitor } from '@/app/auth-pages/under-next'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'

const accept = changeAction(async (actor, { token = '' }) => {
  const { slug } = await acceptInvitation(actor, token)
  revalidatePath('/', 'layout')
  redirect(`/workspaces/${slug}`)
})

/**
 * Accepts the invitation and redirects to the workspace, or returns the error in the language of the page.
 */
export const acceptAction: FormAction = async (previous, form) => {
  const { message, ...state } = await accept(previous, form)
  return message === undefined ? state : { ...state, message: (await sayToVisitor()).known(message) }
}
