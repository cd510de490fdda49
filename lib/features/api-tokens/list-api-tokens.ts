import { credentialKinds } from '@/lib/base/credentials/tokens'
import { type Placed, pagesByParent, placedCursor, readPlaced } from '@/lib/base/db/lists'
import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  type Page,
  type PageArgs,
  parsePage,
  parseTextPage,
} from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { loadSelectable } from '@/lib/features/apps/authorizations/selectable'
import type { ApiToken, Prisma } from '@/lib/generated/prisma/client'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'
import { permissions } from '@/lib/policy/permissions'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import { roleIncludes } from '@/lib/policy/scopes'

/**
 * The arguments that select a page of tokens. The default order is oldest first. EXPIRES sorts tokens by
 * expiry, earliest first. Tokens that never expire come last.
 */
export type TokenPage = PageArgs & { orderBy?: 'CREATED' | 'EXPIRES' | null }

type Token = { id: string; expiresAt: Date | null }

type Window = {
  page: Page
  bounds: Prisma.ApiTokenWhereInput
  /** The query's `orderBy` and `take` arguments. */
  order: { orderBy: Prisma.ApiTokenOrderByWithRelationInput[]; take: number }
  /** Adds a cursor to each row, unless the tokens are sorted by ID. */
  place: <Row extends Token>(rows: Row[]) => (Row & Placed)[]
}

/**
 * Converts the arguments of a page to Prisma arguments.
 * @throws AppError BAD_USER_INPUT that names the argument
 */
function tokenWindow({ orderBy, ...args }: TokenPage): Window {
  if (orderBy !== 'EXPIRES') {
    const page = parsePage(args)
    const { bounds, orderBy: byId, take } = keysetQuery(page)
    return { page, bounds: { id: bounds }, order: { orderBy: [byId], take }, place: (rows) => rows }
  }
  const page = parseTextPage(args)
  const after = readPlaced('after', page.after, isEnd)
  const before = readPlaced('before', page.before, isEnd)
  const sort = page.backward ? 'desc' : 'asc'
  return {
    page,
    bounds: { AND: [after ? endsAfter(after) : {}, before ? endsBefore(before) : {}] },
    order: {
      orderBy: [{ expiresAt: { sort, nulls: page.backward ? 'first' : 'last' } }, { id: sort }],
      take: page.limit + 1,
    },
    place: (rows) =>
      rows.map((row) => ({ ...row, cursor: placedCursor(row.id, row.expiresAt?.toISOString() ?? '') })),
  }
}

type Place = { id: string; by: string }

/** Returns whether the expiry in a cursor is valid: an ISO time, or empty for a token that never expires. */
const isEnd = (by: string) =>
  by === '' || (!Number.isNaN(Date.parse(by)) && new Date(by).toISOString() === by)

const endsAfter = ({ id, by }: Place): Prisma.ApiTokenWhereInput =>
  by === ''
    ? { expiresAt: null, id: { gt: id } }
    : {
        OR: [
          { expiresAt: { gt: new Date(by) } },
          { expiresAt: new Date(by), id: { gt: id } },
          { expiresAt: null },
        ],
      }

const endsBefore = ({ id, by }: Place): Prisma.ApiTokenWhereInput =>
  by === ''
    ? { OR: [{ expiresAt: { not: null } }, { expiresAt: null, id: { lt: id } }] }
    : { OR: [{ expiresAt: { lt: new Date(by) } }, { expiresAt: new Date(by), id: { lt: id } }] }

const prefixes = {
  ACCOUNT: credentialKinds.accountToken,
  WORKSPACE: credentialKinds.workspaceToken,
  PROJECT: credentialKinds.projectToken,
}

/**
 * Returns a token as shown in lists: the prefix of its kind and its last four characters, such as
 * `lk_pat_…abcd`.
 */
export const displayToken = ({
  kind,
  environmentId,
  lastFour,
}: Pick<ApiToken, 'kind' | 'environmentId' | 'lastFour'>): string =>
  `lk_${environmentId ? credentialKinds.environmentToken : prefixes[kind]}_…${lastFour}`

/** A filter for tokens. Default: all tokens. */
export type TokenFilter = { expiresBefore?: Date | null; unusedSince?: Date | null }

/**
 * Returns the condition for a filter. A token that never expires does not match any `expiresBefore`. A token
 * that was never used matches every `unusedSince`.
 */
const tokensMatching = ({ expiresBefore, unusedSince }: TokenFilter) =>
  ({
    expiresAt: expiresBefore ? { lt: expiresBefore } : undefined,
    AND: unusedSince ? [{ OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: unusedSince } }] }] : undefined,
  }) satisfies Prisma.ApiTokenWhereInput

/**
 * Returns one page of the user's account and workspace tokens that match a filter. Default order: oldest
 * first.
 * @throws AppError FORBIDDEN for apps and for tokens that are limited to a workspace, a project, or a role,
 * BAD_USER_INPUT for invalid page arguments
 */
export async function listApiTokens(
  actor: Actor,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  authorizeAccount(actor)
  return read({ userId: actor.userId, kind: { not: 'PROJECT' }, ...tokensMatching(filter) }, page)
}

/**
 * Returns one page of the project tokens that the user created in any project and that match a filter.
 * Default order: oldest first.
 * @throws the errors of `listApiTokens`
 */
export async function listOwnProjectTokens(
  actor: Actor,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  authorizeAccount(actor)
  return read({ userId: actor.userId, kind: 'PROJECT', ...tokensMatching(filter) }, page)
}

/**
 * Returns one page of a project's tokens that match a filter, including other users' tokens. Default order:
 * oldest first. Requires `project:manage-tokens` in the project.
 * @throws the errors of `requireProject`, AppError BAD_USER_INPUT for invalid page arguments
 */
export async function listProjectTokens(
  actor: Actor,
  projectId: string,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  const project = await requireProject(actor, 'project:manage-tokens', projectId)
  return read({ projectId: project.id, kind: 'PROJECT', ...tokensMatching(filter) }, page)
}

async function read(where: Prisma.ApiTokenWhereInput, asked: TokenPage): Promise<CountedSlice<ApiToken>> {
  const { page, bounds, order, place } = tokenWindow(asked)
  const rows = await prisma().apiToken.findMany({ where: { AND: [where, bounds] }, ...order })
  return { ...cutPage(page, place(rows)), count: () => prisma().apiToken.count({ where }) }
}

/**
 * Functions that read one page of the tokens of each of several projects, oldest first, and count the tokens.
 * The caller must first check `project:manage-tokens` for each project.
 */
export const projectTokensOf = pagesByParent(
  'project-tokens-of',
  { table: 'api_tokens', parent: 'project_id' },
  (ids) => prisma().apiToken.findMany({ where: { id: { in: ids } } }),
)

/**
 * A token for a workspace or one of its projects, with the token's creator. `project` is null for a workspace
 * token.
 */
export type WorkspaceTokenRow = ApiToken & {
  user: { id: string; name: string }
  project: { id: string; name: string; workspaceId: string } | null
}

const namedPlaces = {
  user: { select: { id: true, name: true } },
  project: { select: { id: true, name: true, workspaceId: true } },
} as const

/**
 * Returns one page of the tokens that match a filter and are limited to a workspace or one of its projects.
 * Default order: oldest first. Account tokens are not included: they belong to their user, and they lose
 * access to the workspace when the user loses it. Requires `workspace:manage-tokens`.
 * @throws the errors of `requireWorkspace`, AppError BAD_USER_INPUT for invalid page arguments
 */
export async function listWorkspaceTokens(
  actor: Actor,
  workspaceId: string,
  asked: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<WorkspaceTokenRow>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-tokens', workspaceId)
  const { page, bounds, order, place } = tokenWindow(asked)
  const where = {
    OR: [{ workspaceId: workspace.id }, { project: { workspaceId: workspace.id } }],
    ...tokensMatching(filter),
  }
  const rows = await prisma().apiToken.findMany({
    where: { AND: [where, bounds] },
    include: namedPlaces,
    ...order,
  })
  return { ...cutPage(page, place(rows)), count: () => prisma().apiToken.count({ where }) }
}

/**
 * Functions that read one page of the tokens for each of several workspaces and its projects, oldest first,
 * and count the tokens. The caller must first check `workspace:manage-tokens` for each workspace.
 */
export const workspaceTokensOf = pagesByParent<WorkspaceTokenRow>(
  'workspace-tokens-of',
  {
    table: `(SELECT id, workspace_id AS place FROM api_tokens WHERE workspace_id IS NOT NULL
             UNION ALL SELECT t.id, p.workspace_id FROM api_tokens t JOIN projects p ON p.id = t.project_id)`,
    parent: 'place',
  },
  (ids) => prisma().apiToken.findMany({ where: { id: { in: ids } }, include: namedPlaces }),
)

/** A workspace or project that a token can be limited to. */
export type TokenPlace =
  | { kind: 'workspace'; id: string; name: string }
  | { kind: 'project'; id: string; name: string; workspace: string }

/**
 * Returns the workspaces and projects for which a user can create tokens, up to 1,000 of each. Workspaces are
 * sorted by name, each followed by its projects whose tokens the user can manage. Projects in workspaces
 * where the user has no role come last.
 */
export async function listTokenPlaces(actor: SessionActor): Promise<TokenPlace[]> {
  const { workspaces, projects } = await loadSelectable(actor, { workspaces: true, projects: true })
  const managed = projects.filter(({ role }) => roleIncludes(role, permissions['project:manage-tokens'].role))
  const places = new Map<string, TokenPlace[]>(
    workspaces.map(({ id, name }) => [id, [{ kind: 'workspace', id, name }]]),
  )
  for (const { id, name, workspace } of managed) {
    const place = { kind: 'project', id, name, workspace: workspace.name } as const
    places.set(workspace.id, [...(places.get(workspace.id) ?? []), place])
  }
  return [...places.values()].flat()
}

/**
 * Returns the project token with which the caller authenticates, so that tools can look up their own access.
 * @throws AppError FORBIDDEN for callers without a project token, NOT_FOUND if the token was revoked in the
 * meantime
 */
export async function findOwnProjectToken(actor: Actor): Promise<ApiToken> {
  if (actor.kind !== 'project-token') {
    throw new AppError(
      'FORBIDDEN',
      'This query requires a project token. Authenticate with the project token that you want to look up.',
    )
  }
  const token = await prisma().apiToken.findUnique({ where: { id: actor.tokenId } })
  if (!token) throw new AppError('NOT_FOUND')
  return token
}

/** The stored data of the token that was sent with a request. `name` is null for an OAuth access token. */
export type CurrentToken = { name: string | null; createdAt: Date; expiresAt: Date | null }

const findApiToken = statement<CurrentToken, [id: string]>(
  'current-api-token',
  `SELECT name, created_at AS "createdAt", expires_at AS "expiresAt" FROM api_tokens WHERE id = $1`,
)

const findAccessToken = statement<CurrentToken, [hash: Buffer]>(
  'current-access-token',
  `SELECT NULL::text AS name, created_at AS "createdAt", expires_at AS "expiresAt" FROM ONLY oauth_artifacts WHERE hash = $1`,
)

/**
 * Returns the stored data of the token that was sent with a request.
 * @returns undefined if the token was revoked in the meantime
 */
export async function readCurrentToken({ actor, hash }: Caller): Promise<CurrentToken | undefined> {
  const [found] = await ('tokenId' in actor ? findApiToken(actor.tokenId) : findAccessToken(hash))
  return found
}
