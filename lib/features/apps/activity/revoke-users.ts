import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { notMember } from '@/lib/policy/app-status'
import { endAuthorizations } from '../authorizations/revoke-authorization'
import { lockApp, type OAuthApp, requireApp } from '../require-app'

/** Who loses an app that is taken into development: people outside its workspace, and other workspaces that installed it. */
export type Outside = {
  people: number
  installations: number
  /** The first few of those workspaces, by name. */
  workspaces: string[]
}

const shown = 5

/**
 * What taking an app into development would cut off.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function previewDevelopment(actor: Actor, clientId: string): Promise<Outside> {
  const app = await requireApp(actor, clientId)
  const where = { clientId: app.id, workspaceId: { not: app.workspaceId } }
  const [[people = 0], installations, first] = await Promise.all([
    countExternalUsersOf([app.id]),
    prisma().installation.count({ where }),
    prisma().installation.findMany({
      where,
      select: { workspace: { select: { name: true } } },
      orderBy: { workspace: { name: 'asc' } },
      take: shown,
    }),
  ])
  return { people, installations, workspaces: first.map(({ workspace }) => workspace.name) }
}

const count = statement<{ id: string; people: number }, [ids: readonly string[]]>(
  'count-external-users',
  `SELECT c.id, count(*)::int AS people
     FROM oauth_clients c JOIN authorizations z ON z.client_id = c.id
    WHERE c.id = ANY ($1) AND ${notMember('c', 'z.user_id')} GROUP BY c.id`,
)

/** How many people outside its workspace have authorized each of several apps. The caller has required `workspace:manage-apps` for each. */
export async function countExternalUsersOf(clientIds: readonly string[]): Promise<number[]> {
  const found = new Map((await count([...clientIds])).map(({ id, people }) => [id, people]))
  return clientIds.map((id) => found.get(id) ?? 0)
}

/**
 * Ends what one person allowed an app, on the app's side: its codes and tokens for them are dead at once, and it has to ask
 * again. Takes `workspace:manage-apps` in its workspace.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function revokeUser(actor: Actor, clientId: string, userId: string): Promise<void> {
  const ended = isId(userId) ? await end(actor, clientId, { userId }) : 0
  if (ended === 0) throw new AppError('NOT_FOUND', 'This user has not authorized the app.')
}

/**
 * The same for everybody who let it in until now.
 * @returns how many people that were
 * @throws as `authorizeWorkspace`
 */
export const revokeAllUsers = (actor: Actor, clientId: string): Promise<number> => end(actor, clientId, {})

/** How many people end in one transaction, which holds their rows. */
const batch = 100

async function end(actor: Actor, clientId: string, which: Prisma.AuthorizationWhereInput): Promise<number> {
  const app = await requireApp(actor, clientId)
  // Who comes in anew meanwhile is not ended: it would never be done.
  const where = { ...which, clientId: app.id, createdAt: { lte: new Date() } }
  let people = 0
  for (;;) {
    const ended = await prisma().$transaction((tx) => endSome(tx, actor, app, where))
    people += ended
    if (ended < batch) return people
  }
}

/**
 * Ends the first of them and tells the workspaces that they selected, as if they had taken it back themselves. Who did it is written down
 * with them: the right can be gone before the next.
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
    select: { id: true, userId: true, clientId: true, workspaceIds: true },
    orderBy: { id: 'asc' },
    take: batch,
  })
  await endAuthorizations(tx, { id: { in: found.map(({ id }) => id) } })
  for (const { id, userId, clientId, workspaceIds } of found) {
    await recordEvent(
      tx,
      { kind: 'system', userId, clientId },
      {
        action: 'authorization.revoked_by_app',
        resource: { type: 'authorization', id },
        details: { clientId, workspaceIds },
      },
    )
  }
  if (found.length === 0) return 0
  await recordEvent(tx, actor, {
    action: 'oauth_app.access_revoked',
    resource: { type: 'oauth_app', id: app.id },
    workspaceId: app.workspaceId,
    details: {
      people: found.length,
      ...(where.userId === undefined ? {} : { authorizationId: found[0]?.id }),
    },
  })
  return found.length
}
