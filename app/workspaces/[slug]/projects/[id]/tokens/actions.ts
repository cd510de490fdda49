'use server'
import { expiresInDays } from '@/lib/base/db/expiry-input'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { createProjectToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeProjectToken } from '@/lib/features/api-tokens/revoke-api-token'

const shown = '/workspaces/[slug]/projects/[id]/tokens'

/** Creates a project token. Returns the token, which no other response contains. */
export const createProjectTokenAction = formAction(async (actor, { expiresInDays: days, ...input }) => {
  const { value } = await createProjectToken(actor, { ...input, expiresAt: expiresInDays(days) })
  return { token: value }
}, shown)

export const revokeProjectTokenAction = changeAction(
  (actor, { id = '' }) => revokeProjectToken(actor, id),
  shown,
)
