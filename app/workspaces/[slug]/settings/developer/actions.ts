'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { CreatedApp } from '@/components/oauth-apps/new-app-form'
import { safeNext } from '@/lib/base/http/safe-next'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { requireTyped, submitForm } from '@/lib/edges/web/forms/submit-form'
import { addSecret } from '@/lib/features/apps/add-secret'
import { createApp } from '@/lib/features/apps/create-app'
import { deleteApp } from '@/lib/features/apps/delete-app'
import { requireApp } from '@/lib/features/apps/require-app'
import { revokeSecret } from '@/lib/features/apps/revoke-secret'
import { updateApp } from '@/lib/features/apps/update-app'

const developerPages = () => revalidatePath('/workspaces/[slug]/settings/developer', 'layout')

/** The secret travels in the answer to this one request and is kept nowhere. */
export const createAppAction = async (previous: FormState<CreatedApp>, form: FormData) =>
  submitForm(previous, form, async (actor, input) => {
    const { app, secret } = await createApp(actor, input)
    return { clientId: app.id, secret: secret ?? null }
  })

export const updateAppAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', ...input }) => {
    await updateApp(actor, id, {
      ...input,
      requirePushedAuthorization: input.requirePushed === 'on',
      requireSignedRequests: input.requireSigned === 'on',
      highSecurity: input.highSecurity === 'on',
    })
    developerPages()
    return true as const
  })

export const deleteAppAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', back = '/', ...input }) => {
    const { name } = await requireApp(actor, id)
    requireTyped(name, input)
    await deleteApp(actor, id)
    redirect(safeNext(back))
  })

/** The secret travels in the answer to this one request and is kept nowhere. */
export const addSecretAction = async (previous: FormState<{ secret: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    const { secret } = await addSecret(actor, id)
    developerPages()
    return { secret }
  })

export const revokeSecretAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', secretId = '' }) => {
    await revokeSecret(actor, id, secretId)
    developerPages()
    return true as const
  })
