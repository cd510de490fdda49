import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { selectShared, wholeSelection } from '@/lib/features/apps/authorizations/api-grants'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { notMember } from '@/lib/policy/app-status'
import { endAuthorizations } from '../authorizations/revoke-authorization'
import { lockApp, type OAuthApp, requireApp } from '../require-app'

/**
 * The access that ends when an app returns to development: the access of external users and of other
 * workspaces that installed the app.
 */
export type Outside = {
  users: number
  installations: number
  /** The names of up to five other workspaces that installed the app, in alphabetical order. */
  workspaces: string[]
}

const shown = 5

/**
 * Returns the access that would end if an app returned to development.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function previewDevelopment(actor: Actor, clientId: string): Promise<Outside> {
  const app = await requireApp(actor, clientId)
  const where = { clientId: app.id, workspaceId: { not: app.workspaceId } }
  const [[users = 0], installations, first] = await Promise.all([
    countExternalUsersOf([app.id]),
    prisma().installation.count({ where }),
    prisma().installation.findMany({
      where,
      select: { workspace: { select: { name: true } } },
      orderBy: { workspace: { name: 'asc' } },
      take: shown,
    }),
  ])
  return { users, installations, workspaces: first.map(({ workspace }) => workspace.name) }
}

const count = statement<{ id: string; users: number }, [ids: readonly string[]]>(
  'count-external-users',
  `SELECT c.id, count(*)::int AS users
     FROM oauth_clients c JOIN authorizations z ON z.client_id = c.id
    WHERE c.id = ANY ($1) AND ${notMember('c', 'z.user_id')} GROUP BY c.id`,
)

/**
 * Returns how many external users authorized each app. The caller must first check `workspace:manage-apps`
 * for each app.
 */
export async function countExternalUsersOf(clientIds: readonly string[]): Promise<number[]> {
  const found = new Map((await count([...clientIds])).map(({ id, users }) => [id, users]))
  return clientIds.map((id) => found.get(id) ?? 0)
}

/**
 * Revokes one user's authorization of an app, at the request of the app's admins. The app's codes and tokens
 * for the user fail immediately, and the app must request authorization again. Requires
 * `workspace:manage-apps` in the app's workspace.
 * @throws AppError NOT_FOUND (no such app, or the user has not authorized the app), and the errors of
 * `requireWorkspace`
 */
export async function revokeUser(actor: Actor, clientId: string, userId: string): Promise<void> {
  const ended = isId(userId) ? await end(actor, clientId, { userId }) : 0
  if (ended === 0)
    throw new AppError(
      'NOT_FOUND',
      'This user hasn’t authorized the app, or the app’s access was already revoked.',
    )
}

/**
 * Revokes all authorizations of an app that exist when the function is called. Requires
 * `workspace:manage-apps` in the app's workspace.
 * @returns the number of users whose authorizations were revoked
 * @throws AppError NOT_FOUND (no such app), and the errors of `requireWorkspace`
 */
export const revokeAllUsers = (actor: Actor, clientId: string): Promise<number> => end(actor, clientId, {})

/**
 * The maximum number of users per transaction. A larger transaction would lock more authorizations at the
 * same time.
 */
const batch = 100

async function end(actor: Actor, clientId: string, which: Prisma.AuthorizationWhereInput): Promise<number> {
  const app = await requireApp(actor, clientId)
  // Skip users who authorize the app while this function runs, because the loop might otherwise never end.
  const where = { ...which, clientId: app.id, createdAt: { lte: new Date() } }
  let users = 0
  for (;;) {
    const ended = await prisma().$transaction((tx) => endSome(tx, actor, app, where))
    users += ended
    if (ended < batch) return users
  }
}

/**
 * Revokes one batch of authorizations and notifies the workspaces in the users' selections, as a user's own
 * revocation does. Each batch checks the permission and records its own event, because the actor can lose the
 * permission before the next batch.
 * @returns the number of revoked authorizations; less than `batch` if no authorizations remain
 */
async function endSome(
  tx: Db,
  actor: Actor,
  app: OAuthApp,
  where: Prisma.AuthorizationWhereInput,
): Promise<number> {
  await lockApp(tx, actor, app)
  const found = await tx.authorization.findMany({
    where,
    select: { id: true, userId: true, clientId: true, ...selectShared },
    orderBy: { id: 'asc' },
    take: batch,
  })
  await endAuthorizations(tx, { id: { in: found.map(({ id }) => id) } })
  for (const { id, userId, clientId, ...shared } of found) {
    await recordEvent(
      tx,
      { kind: 'system', userId, clientId },
      {
        action: 'authorization.revoked_by_app',
        resource: { type: 'authorization', id },
        details: { clientId, workspaceIds: wholeSelection(shared).workspaceIds },
      },
    )
  }
  if (found.length === 0) return 0
  await recordEvent(tx, actor, {
    action: 'oauth_app.access_revoked',
    resource: { type: 'oauth_app', id: app.id },
    workspaceId: app.workspaceId,
    details: {
      users: found.length,
      ...(where.userId === undefined ? {} : { authorizationId: found[0]?.id }),
    },
  })
  return found.length
}
