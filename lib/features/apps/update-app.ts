import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { dropStrayDomain } from './app-domain'
import { checkSettings, hasKey, toColumns } from './app-metadata'
import { updateAppInput } from './input'
import { lockApp, requireApp } from './require-app'

/**
 * Changes an app's name, addresses or settings. One that changes over to a key loses its secrets. Takes `workspace:manage-apps` in
 * its workspace.
 * @param input as `updateAppInput` describes it; what is left out stays
 * @returns the app as it is now
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function updateApp(actor: Actor, id: string, input: unknown): Promise<OAuthClient> {
  const before = await requireApp(actor, id)
  const changes = parseInput(updateAppInput(before), input)
  const columns = toColumns(before.metadata, changes)
  checkSettings({
    type: before.type,
    installScopes: columns.installScopes ?? before.installScopes,
    allowedScopes: columns.allowedScopes ?? before.allowedScopes,
    metadata: columns.metadata,
    redirectUris: columns.redirectUris ?? before.redirectUris,
    requirePushedAuthorization: columns.requirePushedAuthorization ?? before.requirePushedAuthorization,
  })
  return prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, before)
    const app = await tx.oAuthClient.update({
      where: { id },
      data: { ...columns, version: { increment: 1 } },
    })
    await dropStrayDomain(tx, actor, app)
    if (hasKey(app)) await tx.oAuthClientSecret.deleteMany({ where: { clientId: id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.updated',
      resource: { type: 'oauth_app', id },
      workspaceId: before.workspaceId,
      details: changes,
    })
    return app
  })
}
