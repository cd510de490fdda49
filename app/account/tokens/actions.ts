'use server'
import { expiresInDays } from '@/lib/base/db/expiry-input'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import { createApiToken, createProjectToken } from '@/lib/features/api-tokens/create-api-token'
import { revokeApiToken } from '@/lib/features/api-tokens/revoke-api-token'

const shown = '/account/tokens'

/**
 * Creates an API token. `reach` is empty for an account token, or `workspace:` or `project:` followed by an
 * ID. The token is returned only in this response and is not stored.
 */
export const createTokenAction = formAction(
  async (actor, { reach = '', name, role, expiresInDays: days }) => {
    const token = { name, role: role || null, expiresAt: expiresInDays(days) }
    const [kind, id = ''] = reach.split(':')
    const { value } =
      kind === 'project'
        ? await createProjectToken(actor, { ...token, projectId: id })
        : await createApiToken(actor, { ...token, workspaceId: kind === 'workspace' ? id : null })
    return { token: value }
  },
  shown,
)

export const revokeTokenAction = changeAction((actor, { id = '' }) => revokeApiToken(actor, id), shown)
