import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace } from '@/lib/policy/hold'
import { requireWorkspace } from '@/lib/policy/require'

/** An app made in the settings: it has a workspace, unlike one that registered itself. */
export type OAuthApp = OAuthClient & { workspaceId: string }

/** What it takes to manage an app, or to make and revoke its secrets. */
type ManageApp = 'workspace:manage-apps' | 'workspace:manage-secrets'

/**
 * Loads an app and requires the right to manage it. Self-registered clients are managed by their registration token
 * alone (docs/api/contract.md, section 7), so they are not found here.
 * @throws AppError NOT_FOUND, and as `requireWorkspace` for the permission
 */
export async function requireApp(
  actor: Actor,
  id: string,
  permission: ManageApp = 'workspace:manage-apps',
): Promise<OAuthApp> {
  const app = await prisma().oAuthClient.findUnique({ where: { id } })
  if (app?.source !== 'SETTINGS' || !app.workspaceId) throw unknownApp(id)
  // Whoever cannot see the workspace must not learn its id from here.
  const asked = { type: 'oauth_app', id }
  await requireWorkspace(actor, permission, app.workspaceId, asked).catch((error) => {
    throw isAppError(error) && error.code === 'NOT_FOUND' ? unknownApp(id) : error
  })
  return { ...app, workspaceId: app.workspaceId }
}

/**
 * Locks an app for the rest of a transaction, with the right to manage it: it may have changed hands since that was looked up, or
 * the actor the role.
 * @throws AppError NOT_FOUND (it is gone, or in another workspace now), and as `holdWorkspace`
 */
export async function lockApp(
  tx: Db,
  actor: Actor,
  { id, workspaceId }: OAuthApp,
  permission: ManageApp = 'workspace:manage-apps',
): Promise<void> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM oauth_clients WHERE id = ${id} AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
  if (found.length === 0) throw unknownApp(id)
  await holdWorkspace(tx, actor, permission, workspaceId)
}

const unknownApp = (id: string) =>
  new AppError('NOT_FOUND', 'There is no such OAuth app, or you cannot see it.', {
    resource: { type: 'oauth_app', id },
  })
