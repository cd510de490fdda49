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

/** A client secret as shown on the app's page. */
export type SecretSummary = Pick<
  OAuthClientSecret,
  'id' | 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>

/** Returns whether a secret is currently valid according to the database clock (ADR 0036). */
export const isLive = ({ expiresAt }: SecretSummary): boolean =>
  expiresAt === null || expiresAt.getTime() > databaseNow()

/** The columns of a `SecretSummary`, which do not include the hash. */
const secretSummary = {
  id: true,
  name: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const satisfies Record<keyof SecretSummary, true>

/**
 * Returns an app with its secrets, newest first, and the number of users who authorized it.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function getApp(
  actor: Actor,
  id: string,
): Promise<OAuthApp & { secrets: SecretSummary[]; users: number }> {
  const app = await requireApp(actor, id)
  const [secrets, users] = await Promise.all([
    prisma().oAuthClientSecret.findMany({
      where: { clientId: id },
      orderBy: { id: 'desc' },
      select: secretSummary,
    }),
    prisma().authorization.count({ where: { clientId: id } }),
  ])
  return { ...app, secrets, users }
}

/**
 * Returns an app's cursor in a list that is sorted by name. The cursor contains the first characters of the
 * name, in lowercase, and the app's ID.
 */
export const placeOfApp = ({ id, name }: Pick<OAuthClient, 'id' | 'name'>): string =>
  `${name.toLowerCase().slice(0, 30)} ${id}`

/**
 * Returns one page of a workspace's OAuth apps, sorted by name, with all settings.
 * @throws the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function pageApps(
  actor: Actor,
  workspaceId: string,
  page: TextPage,
): Promise<CountedSlice<OAuthClient>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-apps', workspaceId)
  const apps = await prisma().oAuthClient.findMany({
    where: { workspaceId: workspace.id, source: 'SETTINGS' },
  })
  return pageOfAll(apps, placeOfApp, page)
}

/**
 * Returns the first `atMost` apps of several workspaces by client ID. Runs one statement. The caller must
 * first check `workspace:manage-apps` for each workspace.
 */
export const listAppsOf = (workspaceIds: readonly string[], atMost: number): Promise<OAuthClient[]> =>
  prisma().oAuthClient.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, source: 'SETTINGS' },
    orderBy: { id: 'asc' },
    take: atMost,
  })

/**
 * Returns the secrets of each app, newest first. The lists are in the order of `clientIds`. The caller must
 * first check `workspace:manage-apps` for each app.
 */
export async function listSecretsOf(clientIds: readonly string[]): Promise<SecretSummary[][]> {
  const rows = await prisma().oAuthClientSecret.findMany({
    where: { clientId: { in: [...clientIds] } },
    orderBy: { id: 'desc' },
    select: { ...secretSummary, clientId: true },
  })
  return inOrderOf(clientIds, rows, ({ clientId }) => clientId)
}

/**
 * Returns how many users authorized each app, in the order of `clientIds`. The caller must first check
 * `workspace:manage-apps` for each app.
 */
export async function countUsersOf(clientIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().authorization.groupBy({
    by: 'clientId',
    where: { clientId: { in: [...clientIds] } },
    _count: true,
  })
  const counts = new Map(groups.map(({ clientId, _count }) => [clientId, _count]))
  return clientIds.map((id) => counts.get(id) ?? 0)
}

/** An app as shown in lists, with the number of users who authorized it. */
export type AppSummary = Pick<
  OAuthClient,
  'id' | 'name' | 'type' | 'logoUrl' | 'logoDarkUrl' | 'createdAt' | 'disabledAt' | 'inDevelopment'
> & { users: number }

const find = statement<
  AppSummary & { total: number },
  [workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-apps',
  `SELECT found.*, (SELECT count(*)::int FROM authorizations a WHERE a.client_id = found.id) AS users
     FROM (SELECT c.id, c.name, c.type::text AS type, c.logo_url AS "logoUrl", c.logo_dark_url AS "logoDarkUrl", c.created_at AS "createdAt",
                  c.disabled_at AS "disabledAt", c.in_development AS "inDevelopment", (count(*) OVER ())::int AS total
             FROM oauth_clients c
            WHERE c.workspace_id = $1 AND c.source = 'SETTINGS'
              AND (c.name ILIKE '%' || $2 || '%' OR c.id ILIKE $2 || '%')
            ORDER BY c.name COLLATE natural_order, c.id LIMIT $3 OFFSET $4) found
    ORDER BY found.name COLLATE natural_order, found.id`,
)

/**
 * Searches a workspace's OAuth apps, and returns one page in the natural order of their names. An app matches
 * if its name contains the text or its client ID begins with the text. The search ignores case.
 * Self-registered apps do not belong to a workspace and are not included.
 * @param text the text to search for. An empty text matches all apps.
 * @throws the errors of `requireWorkspace` for `workspace:manage-apps`
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

/** An app with the name and slug of its workspace. */
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
    ORDER BY c.name COLLATE natural_order, c.id LIMIT $8`,
)

/**
 * Returns up to `limit` OAuth apps that a user can manage in any workspace, sorted by name. Each word must
 * occur in the name of the app or the name of its workspace. The search ignores case. In a session without
 * two-factor authentication, omits apps of workspaces that require it.
 * @param words the words to search for. An empty list matches all apps.
 */
export const findApps = (actor: SessionActor, words: readonly string[], limit: number): Promise<FoundApp[]> =>
  findOfFindApps(
    ...workspaceValues(actor),
    rolesWith('workspace:manage-apps'),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
