'use server'
import { revalidatePath } from 'next/cache'
import { expiresInDays } from '@/lib/edges/web/forms/expires-in-days'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { createApiToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'

const showAnew = () => revalidatePath('/workspaces/[slug]/settings/tokens', 'page')

/** The token travels in the answer to this one request and is kept nowhere. */
export const createWorkspaceTokenAction = async (previous: FormState<{ token: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, { expiresInDays: days, ...input }) => {
    const { value } = await createApiToken(actor, { ...input, expiresAt: expiresInDays(days) })
    showAnew()
    return { token: value }
  })

export const revokeWorkspaceTokenAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeWorkspaceToken(actor, id)
    showAnew()
    return true as const
  })
