import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import { lockApp, requireApp } from './require-app'

/**
 * Revokes one of an app's secrets: the next request that uses it fails. The last one may go too; the app then waits for
 * a new one. Takes `workspace:manage-secrets` in its workspace.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function revokeSecret(actor: Actor, appId: string, secretId: string): Promise<void> {
  const app = await requireApp(actor, appId, 'workspace:manage-secrets')
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app, 'workspace:manage-secrets')
    const secret = isId(secretId)
      ? await tx.oAuthClientSecret.findFirst({ where: { id: secretId, clientId: appId } })
      : null
    if (!secret) throw new AppError('NOT_FOUND', 'This secret has already been revoked.')
    await tx.oAuthClientSecret.deleteMany({ where: { id: secret.id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.secret_revoked',
      resource: { type: 'oauth_app', id: appId },
      workspaceId: app.workspaceId,
      details: { lastFour: secret.lastFour },
    })
  })
}
