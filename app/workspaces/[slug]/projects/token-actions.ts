'use server'
import { revalidatePath } from 'next/cache'
import { expiresInDays } from '@/lib/edges/web/forms/expires-in-days'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { createProjectToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeProjectToken } from '@/lib/features/api-tokens/revoke-api-token'

const showAnew = () => revalidatePath('/workspaces/[slug]/projects/[id]/tokens', 'page')

/** The token travels in the answer to this one request and is kept nowhere. */
export const createProjectTokenAction = async (previous: FormState<{ token: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, { expiresInDays: days, ...input }) => {
    const { value } = await createProjectToken(actor, { ...input, expiresAt: expiresInDays(days) })
    showAnew()
    return { token: value }
  })

export const revokeProjectTokenAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await revokeProjectToken(actor, id)
    showAnew()
    return true as const
  })
