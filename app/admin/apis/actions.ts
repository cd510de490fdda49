'use server'
import { redirect } from 'next/navigation'
import { changeAction, formAction, requireTyped } from '@/lib/edges/web/forms/submit-form'
import { deleteApi, registerApi, updateApi } from '@/lib/features/resources/change-apis'
import { addApiSecret, revokeApiSecret } from '@/lib/features/resources/credentials'
import { apiOfForm } from '@/lib/features/resources/input'
import { getApi } from '@/lib/features/resources/list-apis'

const shown = '/admin/apis'

/** Registers an API. Returns the API's ID and its secret, which no other response contains. */
export const registerApiAction = formAction(async (actor, input) => {
  const { api, secret } = await registerApi(actor, { ...apiOfForm(input), identifier: input.identifier })
  return { id: api.id, secret }
})

export const updateApiAction = changeAction(
  (actor, { id = '', ...input }) => updateApi(actor, id, apiOfForm(input)),
  shown,
)

/** Adds a secret to an API. Returns the secret, which no other response contains. */
export const addApiSecretAction = formAction(async (actor, { id = '' }) => {
  const { secret } = await addApiSecret(actor, id)
  return { secret }
}, shown)

export const revokeApiSecretAction = changeAction(
  (actor, { id = '', secretId = '' }) => revokeApiSecret(actor, id, secretId),
  shown,
)

export const deleteApiAction = changeAction(async (actor, { id = '', ...input }) => {
  requireTyped((await getApi(actor, id)).name, input)
  await deleteApi(actor, id)
  redirect(shown)
})
