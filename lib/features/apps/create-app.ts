import { mintClientId } from '@/lib/base/credentials/tokens'
import { requireBelowLimit } from '@/lib/base/db/limits'
import { type Db, inTransaction } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { apiScopes } from '@/lib/features/resources/apis'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { hasProduction } from '@/lib/policy/app-status'
import { expiryWithin, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { checkSettings, hasKey, toColumns } from './app-metadata'
import { createAppInput } from './input'
import { newSecret } from './secrets'

/** The maximum number of OAuth apps in a workspace. */
export const maxApps = 500

/**
 * Checks that a workspace has fewer than the maximum number of apps, so that one admin or app cannot hide an
 * app among thousands. Locks the workspace until the transaction ends.
 * @throws AppError CONFLICT if the workspace already has the maximum number
 */
export function requireAppRoom(tx: Db, workspaceId: string): Promise<void> {
  const room = {
    of: { table: 'workspaces' as const, id: workspaceId },
    most: maxApps,
    message: `A workspace can have up to ${maxApps} OAuth apps. Delete one first, or use another workspace.`,
  }
  return requireBelowLimit(tx, room, () => tx.oAuthClient.count({ where: { workspaceId } }))
}

/**
 * Creates an OAuth app in a workspace. Requires `workspace:manage-apps` in the workspace. If the actor cannot
 * have an app in production (`hasProduction`), the app is in development, even if the input specifies
 * production.
 * @param input see `createAppInput`
 * @returns the app and its first secret, which is returned only once. For the secret's expiry, see
 * `expiryWithin`. For native apps and apps with a key, the secret is undefined.
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many apps), and the errors of `requireWorkspace` and
 * `expiryWithin`
 */
export async function createApp(
  actor: Actor,
  input: unknown,
): Promise<{ app: OAuthClient; secret: string | undefined }> {
  const { workspaceId, type, ...settings } = parseInput(createAppInput(await apiScopes()), input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const columns = {
    ...toColumns({}, settings),
    name: settings.name,
    redirectUris: settings.redirectUris,
    type,
    ...((await hasProduction(actor)) ? {} : { inDevelopment: true }),
  }
  checkSettings(columns)
  const secret = type === 'WEB' && !hasKey(columns) ? newSecret(actor) : undefined
  const app = await inTransaction(async (tx) => {
    await requireAppRoom(tx, workspace.id)
    await lockWorkspaceRole(tx, actor, 'workspace:manage-apps', workspace.id)
    const expiresAt = secret ? await expiryWithin(tx, actor, null) : null
    const made = await tx.oAuthClient.create({
      data: {
        ...columns,
        id: mintClientId(),
        workspaceId: workspace.id,
        createdById: actor.userId,
        ...(secret ? { secrets: { create: { ...secret.row, expiresAt } } } : {}),
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
