'use server'
import { expiresInDays } from '@/lib/base/db/expiry-input'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { createApiToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'

/** The path to revalidate. It includes the pages about apps, which also list the tokens. */
const shown = '/workspaces/[slug]/settings'

/** Creates a workspace token. Returns the token, which no other response contains. */
export const createWorkspaceTokenAction = formAction(async (actor, { expiresInDays: days, ...input }) => {
  const { value } = await createApiToken(actor, { ...input, expiresAt: expiresInDays(days) })
  return { token: value }
}, shown)

export const revokeWorkspaceTokenAction = changeAction(
  (actor, { id = '' }) => revokeWorkspaceToken(actor, id),
  shown,
)
