'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/update-selection'

const lines = (text: string | undefined) => (text ?? '').split('\n').filter(Boolean)

export const updateSelectionAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...fields }) => {
    await updateSelection(actor, id, {
      workspaceIds: lines(fields.workspaceIds),
      projectIds: lines(fields.projectIds),
      shownScopes: fields.shownScopes?.split(' '),
    })
    revalidatePath('/account/apps', 'layout')
    return true as const
  })

export const revokeAuthorizationAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeAuthorization(actor, id)
    revalidatePath('/account/apps', 'layout')
    redirect('/account/apps')
  })
