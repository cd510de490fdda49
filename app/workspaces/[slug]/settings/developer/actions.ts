'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { CreatedApp } from '@/components/oauth-apps/new-app-form'
import { addSecret } from '@/lib/oauth-apps/add-secret'
import { createApp } from '@/lib/oauth-apps/create-app'
import { deleteApp } from '@/lib/oauth-apps/delete-app'
import { requireApp } from '@/lib/oauth-apps/require-app'
import { revokeSecret } from '@/lib/oauth-apps/revoke-secret'
import { updateApp } from '@/lib/oauth-apps/update-app'
import type { FormState } from '@/lib/web/form-state'
import { safeNext } from '@/lib/web/safe-next'
import { requireTyped, submitForm } from '@/lib/web/submit-form'

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
