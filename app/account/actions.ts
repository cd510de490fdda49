'use server'
import { revalidatePath } from 'next/cache'
import { expiresInDays } from '@/lib/edges/web/forms/expires-in-days'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { createApiToken, createProjectToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeApiToken } from '@/lib/features/api-tokens/revoke-api-token'
import { changePassword } from '@/lib/features/identity/people/change-password'
import { updateProfile } from '@/lib/features/identity/people/update-profile'
import { revokeOtherSessions, revokeSession } from '@/lib/features/identity/sessions/end-session'

export const updateProfileAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await updateProfile(actor, input)
    revalidatePath('/', 'layout')
    return true as const
  })

export const changePasswordAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    await changePassword(actor, input)
    revalidatePath('/account', 'layout')
    return true as const
  })

/** `reach`: nothing for the account, `workspace:` or `project:` with an id. The token travels in the answer to this one request and is kept nowhere. */
export const createTokenAction = async (previous: FormState<{ token: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, { reach = '', name, role, expiresInDays: days }) => {
    const token = { name, role: role || null, expiresAt: expiresInDays(days) }
    const [kind, id = ''] = reach.split(':')
    const { value } =
      kind === 'project'
        ? await createProjectToken(actor, { ...token, projectId: id })
        : await createApiToken(actor, { ...token, workspaceId: kind === 'workspace' ? id : null })
    revalidatePath('/account/tokens')
    return { token: value }
  })

export const revokeTokenAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeApiToken(actor, id)
    revalidatePath('/account/tokens')
    return true as const
  })

export const revokeSessionAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeSession(actor, id)
    revalidatePath('/account/sessions')
    return true as const
  })

export const revokeOtherSessionsAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor) => {
    await revokeOtherSessions(actor)
    revalidatePath('/account/sessions')
    return true as const
  })
