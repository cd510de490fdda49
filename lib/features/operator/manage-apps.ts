import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/** Sets or clears the mark of an app, recorded in the same transaction; where it was so already, nothing happens. */
async function mark(
  actor: Actor,
  id: string,
  action: string,
  column: 'disabledAt' | 'verifiedAt',
  set: boolean,
): Promise<void> {
  authorizeInstance(actor)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id }, select: { workspaceId: true, name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    const { count } = await tx.oAuthClient.updateMany({
      where: { id, [column]: set ? null : { not: null } },
      data: { [column]: set ? new Date() : null, version: { increment: 1 } },
    })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name },
    })
  })
  log.info('an operator acted', { action, operator: actor.userId, app: id })
}

/**
 * Disables an app, or enables it again: while disabled it signs nobody in, and its tokens fail from the next request on.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export const setAppDisabled = (actor: Actor, id: string, disabled: boolean): Promise<void> =>
  mark(actor, id, disabled ? 'oauth_app.disabled' : 'oauth_app.enabled', 'disabledAt', disabled)

/** Marks an app as verified on the consent page, or no longer. @throws AppError FORBIDDEN, NOT_FOUND */
export const setAppVerified = (actor: Actor, id: string, verified: boolean): Promise<void> =>
  mark(actor, id, verified ? 'oauth_app.verified' : 'oauth_app.unverified', 'verifiedAt', verified)
