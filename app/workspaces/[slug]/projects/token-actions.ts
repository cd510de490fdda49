'use server'
import { revalidatePath } from 'next/cache'
import { createProjectToken } from '@/lib/api-tokens/create-api-token'
import { revokeProjectToken } from '@/lib/api-tokens/revoke-api-token'
import { expiresInDays } from '@/lib/web/expires-in-days'
import type { FormState } from '@/lib/web/form-state'
import { submitForm } from '@/lib/web/submit-form'

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
