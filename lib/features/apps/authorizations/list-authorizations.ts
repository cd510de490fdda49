import { databaseNow } from '@/lib/base/db/clock'
import {
  type CountedSlice,
  cutPage,
  inOrderOf,
  keysetQuery,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor, SessionActor, UserActor } from '@/lib/policy/actor'
import { allowedTo } from '@/lib/policy/app-status'
import { authorizeAccount } from '@/lib/policy/authorize'
import { limitScopes } from '@/lib/policy/scopes'
import { equivalentScopes, grantedApis, type RequestedApi, wholeSelection } from './api-grants'
import {
  type AdmissionNote,
  loadAdmissions,
  type NamedSelection,
  nameSelection,
  projectNote,
  workspaceNote,
} from './selectable'

/** An app that a user authorized, as shown under Account > Apps and in GraphQL's AuthorizedApp type. */
export type AuthorizedApp = {
  /** The ID of the authorization. */
  id: string
  /** The scopes of this instance that the app can use now. */
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  app: {
    id: string
    name: string
    logoUrl: string | null
    logoDarkUrl: string | null
    homepageUrl: string | null
    /** The name of the workspace that owns the app. Null for a self-registered app. */
    workspaceName: string | null
    workspaceId: string | null
    verified: boolean
  }
  /** The APIs outside this instance that the app can access, with the app's scopes for each. */
  apis: RequestedApi[]
  /**
   * The workspaces that the user shares with the app. A workspace that does not allow the app or limits it
   * has a note.
   */
  workspaces: (NamedSelection['workspaces'][number] & { note?: string })[]
  /**
   * The projects that the user shares with the app. A project has a note if its workspace denies or limits
   * access.
   */
  projects: (NamedSelection['projects'][number] & { note?: string })[]
}

/**
 * Returns one page of the apps that a user authorized. The newest authorization is first.
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function pageAuthorizations(actor: Actor, page: Page): Promise<CountedSlice<AuthorizedApp>> {
  authorizeAccount(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const where = { userId: actor.userId }
  const rows = await prisma().authorization.findMany({
    where: { ...where, id: bounds },
    include: withApp,
    ...window,
  })
  return {
    ...cutPage(page, await named(actor, rows)),
    count: () => prisma().authorization.count({ where }),
  }
}

/**
 * Returns one app that the user authorized.
 * @throws AppError NOT_FOUND, and the errors of `pageAuthorizations`
 */
export async function readAuthorization(actor: Actor, id: string): Promise<AuthorizedApp> {
  const [found] = await readAuthorizations(actor, [id])
  if (!found) throw unknownAuthorization()
  return found
}

/**
 * Returns the apps of the user's authorizations with the given IDs, in any order. Omits unknown IDs and IDs
 * of other users' authorizations.
 * @throws the errors of `pageAuthorizations`
 */
export async function readAuthorizations(actor: Actor, ids: readonly string[]): Promise<AuthorizedApp[]> {
  authorizeAccount(actor)
  const rows = await prisma().authorization.findMany({
    where: { id: { in: ids.filter(isId) }, userId: actor.userId },
    include: withApp,
  })
  return named(actor, rows)
}

/** Returns the error for an authorization that does not exist or belongs to another user. */
export const unknownAuthorization = () =>
  new AppError('NOT_FOUND', 'You haven’t authorized this app, or you have already revoked its access.')

const withApp = { client: { include: { workspace: { select: { name: true } } } }, apiGrants: true } as const

type Row = Prisma.AuthorizationGetPayload<{ include: typeof withApp }>

async function named(actor: UserActor, found: Row[]): Promise<AuthorizedApp[]> {
  const rows = await Promise.all(
    found.map(async (row) => {
      const allowed = allowedTo(row.clientId, row.client.allowedScopes)
      const apis = await grantedApis(row.apiGrants, allowed)
      const scopes = limitScopes(row.scopes, allowed)
      return {
        ...row,
        ...wholeSelection(row),
        scopes,
        apis,
        judgedBy: [...scopes, ...equivalentScopes(apis)],
      }
    }),
  )
  const { workspaces, projects } = await nameSelection(actor.userId, {
    workspaceIds: [...new Set(rows.flatMap((row) => row.workspaceIds))],
    projectIds: [...new Set(rows.flatMap((row) => row.projectIds))],
  })
  const appOf = ({ client }: Row) => ({ clientId: client.id, workspaceId: client.workspaceId })
  const places = [...workspaces.map(({ id }) => id), ...projects.map(({ workspaceId }) => workspaceId)]
  const admits = await loadAdmissions(prisma(), rows.map(appOf), [...new Set(places)])
  const withNote = <Shared>(
    shared: Shared,
    admission: AdmissionNote | undefined,
  ): Shared & { note?: string } => ({
    ...shared,
    ...(admission && { note: admission.text }),
  })
  return rows.map((row) => ({
    id: row.id,
    scopes: row.scopes,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    app: {
      id: row.client.id,
      name: row.client.name,
      logoUrl: row.client.logoUrl,
      logoDarkUrl: row.client.logoDarkUrl,
      homepageUrl: row.client.homepageUrl,
      workspaceName: row.client.workspace?.name ?? null,
      workspaceId: row.client.workspaceId,
      verified: row.client.verifiedAt !== null,
    },
    apis: row.apis,
    workspaces: workspaces
      .filter(({ id }) => row.workspaceIds.includes(id))
      .map((one) => withNote(one, workspaceNote(admits(appOf(row), one.id), row.judgedBy))),
    projects: projects
      .filter(({ id }) => row.projectIds.includes(id))
      .map((one) => withNote(one, projectNote(admits(appOf(row), one.workspaceId), one.id, row.judgedBy))),
  }))
}

const find = statement<
  { id: string; total: number },
  [userId: string, text: string, limit: number, offset: number]
>(
  'search-authorizations',
  `SELECT a.id, (count(*) OVER ())::int AS total
     FROM authorizations a JOIN oauth_clients c ON c.id = a.client_id LEFT JOIN workspaces w ON w.id = c.workspace_id
    WHERE a.user_id = $1 AND (c.name ILIKE '%' || $2 || '%' OR w.name ILIKE '%' || $2 || '%')
    ORDER BY a.last_used_at DESC NULLS LAST, a.created_at DESC, a.id LIMIT $3 OFFSET $4`,
)

/**
 * Returns one page of the apps that a user authorized and whose names, or whose workspaces' names, contain a
 * text. The search ignores case. The most recently used app is first, and apps that were never used are last.
 * @param text the text to search for. An empty text matches all apps.
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function searchAuthorizations(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<AuthorizedApp>> {
  authorizeAccount(actor)
  const literal = searchLiteral(text)
  const found = await readNumbered(page, (limit, offset) => find(actor.userId, literal, limit, offset))
  const ids = found.rows.map(({ id }) => id)
  const rows = inOrderOf(ids, await readAuthorizations(actor, ids), ({ id }) => id).flat()
  return { ...found, rows }
}

const withinMs = 3_600_000
const most = 5

/**
 * A recently active app. `at` is the time when it was authorized or, if `used`, the later time when it was
 * last used.
 */
export type Arrival = Pick<AuthorizedApp, 'id' | 'app'> & { at: Date; used: boolean }

/**
 * Returns up to five apps that a user authorized, or that acted for the user, within the last hour. The most
 * recently active app is first. If more than 50 apps match, considers only the 50 newest authorizations.
 */
export async function listArrivals(actor: SessionActor): Promise<Arrival[]> {
  const since = { gt: new Date(databaseNow() - withinMs) }
  const recent = await prisma().authorization.findMany({
    where: { userId: actor.userId, OR: [{ createdAt: since }, { lastUsedAt: since }] },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 50,
  })
  const rows = await readAuthorizations(
    actor,
    recent.map(({ id }) => id),
  )
  return rows
    .map(({ id, app, createdAt, lastUsedAt }) =>
      lastUsedAt && lastUsedAt > createdAt
        ? { id, app, at: lastUsedAt, used: true }
        : { id, app, at: createdAt, used: false },
    )
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, most)
}
