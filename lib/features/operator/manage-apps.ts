import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

/** Changes an app as the operator, recorded in the same transaction; where `where` does not hold of it, nothing happens. */
async function change(
  actor: Actor,
  id: string,
  action: string,
  where: Prisma.OAuthClientWhereInput,
  data: Prisma.OAuthClientUpdateManyMutationInput,
): Promise<void> {
  authorizeInstance(actor)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({ where: { id }, select: { workspaceId: true, name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.')
    const { count } = await tx.oAuthClient.updateMany({
      where: { id, ...where },
      data: { ...data, version: { increment: 1 } },
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

const mark = (actor: Actor, id: string, action: string, column: 'disabledAt' | 'verifiedAt', set: boolean) =>
  change(actor, id, action, { [column]: set ? null : { not: null } }, { [column]: set ? new Date() : null })

/**
 * Disables an app, or enables it again: while disabled it signs nobody in, and its tokens fail from the next request on.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export const setAppDisabled = (actor: Actor, id: string, disabled: boolean): Promise<void> =>
  mark(actor, id, disabled ? 'oauth_app.disabled' : 'oauth_app.enabled', 'disabledAt', disabled)

/** Marks an app as verified on the consent page, or no longer. @throws AppError FORBIDDEN, NOT_FOUND */
export const setAppVerified = (actor: Actor, id: string, verified: boolean): Promise<void> =>
  mark(actor, id, verified ? 'oauth_app.verified' : 'oauth_app.unverified', 'verifiedAt', verified)

/**
 * Lets people authorize an app that registered itself and waited for that. Where it waits no longer, nothing happens.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function approveApp(actor: Actor, id: string): Promise<void> {
  await change(actor, id, 'oauth_app.admitted', { awaitingApproval: true }, { awaitingApproval: false })
}
