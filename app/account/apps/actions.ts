'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { linesOf } from '@/lib/base/http/body'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { updateSelection } from '@/lib/features/apps/authorizations/save-authorization'

export const updateSelectionAction = changeAction(
  (actor, { id = '', ...fields }) =>
    updateSelection(actor, id, {
      workspaceIds: linesOf(fields.workspaceIds),
      projectIds: linesOf(fields.projectIds),
      shownScopes: fields.shownScopes?.split(' '),
    }),
  '/account/apps',
)

export const revokeAuthorizationAction = changeAction(async (actor, { id = '' }) => {
  await revokeAuthorization(actor, id)
  revalidatePath('/account/apps', 'layout')
  redirect('/account/apps')
})
