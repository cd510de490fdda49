import { mintClientId } from '@/lib/base/credentials/tokens'
import { inTransaction } from '@/lib/base/db/in-transaction'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import { checkSettings, hasKey, toColumns } from './app-metadata'
import { createAppInput } from './input'
import { newSecret } from './new-secret'

/**
 * Creates an OAuth app in a workspace. Takes `workspace:manage-apps` there.
 * @param input as `createAppInput` describes it
 * @returns the app, and for a web app without a key its first secret, which is never to be had again
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`
 */
export async function createApp(
  actor: Actor,
  input: unknown,
): Promise<{ app: OAuthClient; secret: string | undefined }> {
  const { workspaceId, type, ...settings } = parseInput(createAppInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const columns = {
    ...toColumns({}, settings),
    name: settings.name,
    redirectUris: settings.redirectUris,
    type,
  }
  checkSettings(columns)
  const secret = type === 'WEB' && !hasKey(columns) ? newSecret(actor) : undefined
  const app = await inTransaction(async (tx) => {
    await holdWorkspace(tx, actor, 'workspace:manage-apps', workspace.id)
    const made = await tx.oAuthClient.create({
      data: {
        ...columns,
        id: mintClientId(),
        workspaceId: workspace.id,
        createdById: actor.userId,
        ...(secret ? { secrets: { create: secret.row } } : {}),
      },
    })
    await recordEvent(tx, actor, {
      action: 'oauth_app.created',
      resource: { type: 'oauth_app', id: made.id },
      workspaceId: workspace.id,
      details: { name: made.name, type: made.type, redirectUris: made.redirectUris },
    })
    return made
  })
  return { app, secret: secret?.value }
}
