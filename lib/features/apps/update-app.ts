import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireProduction } from '@/lib/policy/app-status'
import { dropStrayDomain } from './app-domain'
import { checkSettings, hasKey, toColumns } from './app-metadata'
import { updateAppInput } from './input'
import { lockApp, requireApp } from './require-app'

/**
 * Changes an app's name, addresses, or settings. An app that switches to a key loses its secrets. Requires `workspace:manage-apps`
 * in its workspace, and a confirmed email address to move it to production.
 * @param input as `updateAppInput`; omitted settings stay as they are
 * @returns the app as it is now
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and as `requireProduction` and `authorizeWorkspace`
 */
export async function updateApp(actor: Actor, id: string, input: unknown): Promise<OAuthClient> {
  const before = await requireApp(actor, id)
  const changes = parseInput(updateAppInput(before), input)
  if (before.inDevelopment && changes.inDevelopment === false) await requireProduction(actor)
  // A key is a credential as much as a secret is, and one replaces the other.
  if (changes.publicKeys !== undefined || changes.clientAuthentication !== undefined) {
    await requireApp(actor, id, 'workspace:manage-secrets')
  }
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
      details: { ...changes, ...(app.name !== before.name && { from: before.name }) },
    })
    return app
  })
}
