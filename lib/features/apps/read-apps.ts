import { databaseNow } from '@/lib/base/db/clock'
import {
  type CountedSlice,
  inOrderOf,
  likeLiteral,
  type NumberedPage,
  type NumberedRows,
  pageOfAll,
  readNumbered,
  searchLiteral,
  type TextPage,
} from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { OAuthClient, OAuthClientSecret } from '@/lib/generated/prisma/client'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { rolesWith } from '@/lib/policy/permissions'
import { requireWorkspace } from '@/lib/policy/require'
import {
  roleInWorkspace,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceValues,
} from '@/lib/policy/visible'
import { type OAuthApp, requireApp } from './require-app'

/** One of an app's secrets as its page shows it. */
export type SecretSummary = Pick<
  OAuthClientSecret,
  'id' | 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>

/** Whether it is taken now; its end is judged by the database's clock (ADR 0046). */
export const isLive = ({ expiresAt }: SecretSummary): boolean =>
  expiresAt === null || expiresAt.getTime() > databaseNow()

/** Its columns; never the hash. */
const secretSummary = {
  id: true,
  name: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const satisfies Record<keyof SecretSummary, true>

/**
 * An app with what its page shows: its secrets, the newest first, and how many people have authorized it.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function getApp(
  actor: Actor,
  id: string,
): Promise<OAuthApp & { secrets: SecretSummary[]; people: number }> {
  const app = await requireApp(actor, id)
  const [secrets, people] = await Promise.all([
    prisma().oAuthClientSecret.findMany({
      where: { clientId: id },
      orderBy: { id: 'desc' },
      select: secretSummary,
    }),
    prisma().authorization.count({ where: { clientId: id } }),
  ])
  return { ...app, secrets, people }
}

/** A workspace has no more in a list; nobody registers as many. */
const most = 500

/** The place of an app in a list by name: its name, as far as a cursor has room for it, and its id. */
export const placeOfApp = ({ id, name }: Pick<OAuthClient, 'id' | 'name'>): string =>
  `${name.toLowerCase().slice(0, 30)} ${id}`

/**
 * One page of the OAuth apps of a workspace, by name, with all that is set about them.
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function pageApps(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
): Promise<CountedSlice<OAuthClient>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const apps = await prisma().oAuthClient.findMany({
    where: { workspaceId: workspace.id, source: 'SETTINGS' },
    take: most,
  })
  return pageOfAll(apps, placeOfApp, page)
}

/** The apps of several workspaces, in any order. The caller has required `workspace:manage-apps` on each. One statement. */
export const listAppsOf = (workspaceIds: readonly string[], atMost: number): Promise<OAuthClient[]> =>
  prisma().oAuthClient.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, source: 'SETTINGS' },
    take: Math.min(atMost, most * workspaceIds.length),
  })

/** The secrets of several apps, the newest first. The caller has required `workspace:manage-apps` for each. */
export async function listSecretsOf(clientIds: readonly string[]): Promise<SecretSummary[][]> {
  const rows = await prisma().oAuthClientSecret.findMany({
    where: { clientId: { in: [...clientIds] } },
    orderBy: { id: 'desc' },
    select: { ...secretSummary, clientId: true },
  })
  return inOrderOf(clientIds, rows, ({ clientId }) => clientId)
}

/** How many people have authorized each of several apps. The caller has required `workspace:manage-apps` for each. */
export async function countPeopleOf(clientIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().authorization.groupBy({
    by: 'clientId',
    where: { clientId: { in: [...clientIds] } },
    _count: true,
  })
  const counts = new Map(groups.map(({ clientId, _count }) => [clientId, _count]))
  return clientIds.map((id) => counts.get(id) ?? 0)
}

/** An app as lists show it. */
export type AppSummary = Pick<
  OAuthClient,
  'id' | 'name' | 'type' | 'logoUrl' | 'logoDarkUrl' | 'createdAt' | 'disabledAt' | 'inDevelopment'
> & { people: number }

const find = statement<
  AppSummary & { total: number },
  [workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-apps',
  `SELECT found.*, (SELECT count(*)::int FROM authorizations a WHERE a.client_id = found.id) AS people
     FROM (SELECT c.id, c.name, c.type::text AS type, c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", c.created_at AS "createdAt",
                  c.disabled_at AS "disabledAt", c.in_development AS "inDevelopment", (count(*) OVER ())::int AS total
             FROM oauth_clients c
            WHERE c.workspace_id = $1 AND c.source = 'SETTINGS'
              AND (c.name ILIKE '%' || $2 || '%' OR c.id ILIKE $2 || '%')
            ORDER BY c.name COLLATE natural_order, c.id LIMIT $3 OFFSET $4) found
    ORDER BY found.name COLLATE natural_order, found.id`,
)

/**
 * One page of the OAuth apps of a workspace whose names hold a text, or whose client IDs begin with it, in natural order.
 * Those that registered themselves belong to no workspace and are not among them.
 * @param text anything; empty for all of them
 * @throws AppError as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function searchApps(
  actor: Actor,
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<AppSummary>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => find(workspace.id, literal, limit, offset))
}

/** An app with what names its workspace to people. */
export type FoundApp = { id: string; name: string; workspaceName: string; workspaceSlug: string }

const findOfFindApps = statement<
  FoundApp,
  [...WorkspaceValues, roles: string[], patterns: string[], limit: number]
>(
  'find-apps',
  `SELECT c.id, c.name, w.name AS "workspaceName", w.slug AS "workspaceSlug"
     FROM workspaces w ${roleInWorkspace()}
     JOIN oauth_clients c ON c.workspace_id = w.id AND c.source = 'SETTINGS'
    WHERE ${visibleWorkspace} AND wm.role::text = ANY ($6) AND c.name || ' ' || w.name ILIKE ALL ($7::text[])
    ORDER BY c.name, c.id LIMIT $8`,
)

/**
 * The OAuth apps that a person may manage, whatever their workspace, by name, and whose names or whose workspace's hold
 * every word. Those of workspaces that ask for a second factor are left out of a session without one.
 * @param words any texts; none for all apps
 */
export const findApps = (actor: SessionActor, words: readonly string[], limit: number): Promise<FoundApp[]> =>
  findOfFindApps(
    ...workspaceValues(actor),
    rolesWith('workspace:manage-apps'),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
