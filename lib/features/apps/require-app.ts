import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'

/**
 * An app that was created in the settings. Unlike a self-registered app, such an app belongs to a workspace.
 */
export type OAuthApp = OAuthClient & { workspaceId: string }

/** The permission to manage an app, or to create and revoke its secrets. */
type ManageApp = 'workspace:manage-apps' | 'workspace:manage-secrets'

/**
 * Returns an app after checking the permission in the app's workspace. Does not find self-registered clients,
 * because they are managed only with their registration token (docs/api/contract.md, section 7).
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for the permission
 */
export async function requireApp(
  actor: Actor,
  id: string,
  permission: ManageApp = 'workspace:manage-apps',
): Promise<OAuthApp> {
  const app = await prisma().oAuthClient.findUnique({ where: { id } })
  if (app?.source !== 'SETTINGS' || !app.workspaceId) throw unknownApp(id)
  // If the caller cannot see the workspace, throw the error for an unknown app, because the caller must not
  // learn the workspace's ID.
  const asked = { type: 'oauth_app', id }
  await requireWorkspace(actor, permission, app.workspaceId, asked).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknownApp(id) : error
  })
  return { ...app, workspaceId: app.workspaceId }
}

/**
 * Locks an app and the actor's role for the rest of a transaction, and checks the permission again. Since the
 * first check, the app might have been transferred, or the actor might have lost the role.
 * @returns the app's current row, from which the caller must derive its changes. If the caller used the row
 * that it read before the lock, it would undo concurrent changes, such as the replacement of a key.
 * @throws AppError NOT_FOUND (the app was deleted or is now in another workspace), and the errors of
 * `lockWorkspaceRole`
 */
export async function lockApp(
  tx: Db,
  actor: Actor,
  { id, workspaceId }: OAuthApp,
  permission: ManageApp = 'workspace:manage-apps',
): Promise<OAuthApp> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM oauth_clients WHERE id = ${id} AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
  if (found.length === 0) throw unknownApp(id)
  await lockWorkspaceRole(tx, actor, permission, workspaceId)
  return { ...(await tx.oAuthClient.findUniqueOrThrow({ where: { id } })), workspaceId }
}

const unknownApp = (id: string) =>
  new AppError('NOT_FOUND', 'The OAuth app was not found, or you don’t have access to it.', {
    resource: { type: 'oauth_app', id },
  })
