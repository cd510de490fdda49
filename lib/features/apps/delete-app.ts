import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { endAuthorizations } from './authorizations/end-authorizations'
import { requireApp } from './require-app'

/**
 * Deletes an app with its secrets and everything people authorized it for: its tokens are dead at the next request.
 * Takes `workspace:manage-apps` in its workspace.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function deleteApp(actor: Actor, id: string): Promise<void> {
  const app = await requireApp(actor, id)
  await prisma().$transaction(async (tx) => {
    await endAuthorizations(tx, { clientId: id })
    const { count } = await tx.oAuthClient.deleteMany({ where: { id, workspaceId: app.workspaceId } })
    // Gone, or in other hands, since it was looked up. The error undoes what was ended above.
    if (count === 0) throw new AppError('NOT_FOUND')
    await recordEvent(tx, actor, {
      action: 'oauth_app.deleted',
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name },
    })
  })
}
