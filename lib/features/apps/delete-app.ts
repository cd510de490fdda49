import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { endAuthorizations } from './authorizations/end-authorizations'
import { lockApp, requireApp } from './require-app'

/**
 * Deletes an app with its secrets and everything people authorized it for: its tokens are dead at the next request.
 * Takes `workspace:manage-apps` in its workspace.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function deleteApp(actor: Actor, id: string): Promise<void> {
  const app = await requireApp(actor, id)
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await endAuthorizations(tx, { clientId: id })
    await tx.oAuthClient.delete({ where: { id } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.deleted',
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name },
    })
  })
}
