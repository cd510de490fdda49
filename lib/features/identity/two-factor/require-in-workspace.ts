import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import { type Actor, isApp } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockWorkspace, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { lacksTwoFactor } from '@/lib/policy/two-factor'

/**
 * Starts or stops requiring two-factor authentication in a workspace. Takes effect at each user's next
 * request. Requires a workspace admin in a session, or an admin's account token with the ADMIN role. Apps and
 * the workspace's own tokens cannot change how users sign in. Returns without recording an event if the
 * setting already has the requested value. See ADR 0015.
 * @returns the updated workspace
 * @throws AppError FORBIDDEN (the actor is an app, or has not used 2FA and would lose access to the
 * workspace), and the errors of `requireWorkspace`, `authorizeAccount`, and `lockWorkspaceRole`
 */
export async function requireTwoFactorInWorkspace(
  actor: Actor,
  workspaceId: string,
  required: boolean,
): Promise<WorkspaceRow> {
  if (isApp(actor))
    throw new AppError('FORBIDDEN', 'Apps can’t change how users sign in. Use an account token.')
  const workspace = await requireWorkspace(actor, 'workspace:update', workspaceId)
  authorizeAccount(actor)
  if (workspace.requireTwoFactor === required) return workspace
  if (required && lacksTwoFactor(actor)) throw ownFirst(actor)
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await lockWorkspaceRole(tx, actor, 'workspace:update', workspaceId)
    await tx.workspace.update({ where: { id: workspaceId }, data: { requireTwoFactor: required } })
    await recordEvent(tx, actor, {
      action: required ? 'workspace.two_factor_required' : 'workspace.two_factor_optional',
      resource: { type: 'workspace', id: workspaceId },
      workspaceId,
    })
  })
  return { ...workspace, requireTwoFactor: required }
}

const ownFirst = ({ kind }: Actor) =>
  new AppError(
    'FORBIDDEN',
    kind === 'session'
      ? 'Set up two-factor authentication for yourself first, under Account > Security.'
      : 'This token was created in a session without two-factor authentication. Sign in with two-factor authentication, then create a new token.',
  )
