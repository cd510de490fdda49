import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { holdWorkspace, lockWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'
import { staysOutside } from '@/lib/policy/two-factor'

/**
 * Makes a workspace ask its people for two factors in the browser, or no longer. Counts on their next request.
 * @throws AppError FORBIDDEN (not an admin, or without two factors oneself: nobody locks themselves out), NOT_FOUND
 */
export async function requireTwoFactorInWorkspace(
  actor: SessionActor,
  workspaceId: string,
  required: boolean,
): Promise<void> {
  const workspace = await requireWorkspace(actor, 'workspace:update', workspaceId)
  if (workspace.requireTwoFactor === required) return
  if (required && staysOutside(actor)) {
    throw new AppError('FORBIDDEN', 'Set up two-factor for yourself first, under Account > Security.')
  }
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await holdWorkspace(tx, actor, 'workspace:update', workspaceId)
    await tx.workspace.update({ where: { id: workspaceId }, data: { requireTwoFactor: required } })
    await recordEvent(tx, actor, {
      action: required ? 'workspace.two_factor_required' : 'workspace.two_factor_optional',
      resource: { type: 'workspace', id: workspaceId },
      workspaceId,
    })
  })
}
