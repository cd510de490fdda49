import { databaseNow } from '@/lib/base/db/clock'
import { type NumberedPage, type NumberedRows, readNumbered, searchLiteral } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { ApiToken, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import { visibleProjects, visibleWorkspaces } from '@/lib/policy/visible'

/** A token as shown in the console's lists. */
export type TokenInList = Pick<
  ApiToken,
  'id' | 'kind' | 'name' | 'lastFour' | 'role' | 'environmentId' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
> & {
  workspaceId: string | null
  projectId: string | null
  /** The name of the user who created the token. */
  user: string
  /** The name of the project that the token is limited to. Null if the token is not limited to a project. */
  project: string | null
  /**
   * The name of the environment that the token is limited to. Null if the token is not limited to an
   * environment.
   */
  environment: string | null
}

/**
 * Returns a statement that searches tokens and sorts them by name in natural order. A token matches if its
 * name or its creator's name contains the text, or if the text equals the token's last four characters. Case
 * is ignored. The condition can use `t` (the token), `p` (its project), and $1 (the user, workspace, or
 * project to search).
 */
const search = (name: string, condition: string) =>
  statement<TokenInList & { total: number }, [owner: string, text: string, limit: number, offset: number]>(
    name,
    `SELECT t.id, t.kind::text AS kind, t.name, t.last_four AS "lastFour", t.role::text AS role,
            t.environment_id AS "environmentId", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
            t.last_used_at AS "lastUsedAt", t.workspace_id AS "workspaceId", t.project_id AS "projectId",
            u.name AS "user", p.name AS project, e.name AS environment, (count(*) OVER ())::int AS total
       FROM api_tokens t JOIN users u ON u.id = t.user_id
       LEFT JOIN projects p ON p.id = t.project_id LEFT JOIN environments e ON e.id = t.environment_id
      WHERE ${condition}
        AND (t.name ILIKE '%' || $2 || '%' OR t.last_four ILIKE $2 OR u.name ILIKE '%' || $2 || '%')
      ORDER BY t.name COLLATE natural_order, t.id LIMIT $3 OFFSET $4`,
  )

const ofUser = search('search-own-tokens', 't.user_id = $1')
const ofWorkspace = search('search-workspace-tokens', '(t.workspace_id = $1 OR p.workspace_id = $1)')
const ofProject = search('search-project-tokens', `t.project_id = $1 AND t.kind = 'PROJECT'`)

const read = (
  find: typeof ofUser,
  owner: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<TokenInList>> =>
  readNumbered(page, (limit, offset) => find(owner, searchLiteral(text), limit, offset))

/**
 * A token with `place`, the name of the workspace or project that the token is limited to. For a project,
 * `place` also contains the workspace's name. `place` is undefined for an account token, and null if the user
 * no longer has access to the workspace or project.
 */
export type OwnToken = TokenInList & { place: string | null | undefined }

/**
 * Returns one page of the tokens that the user created and that match a text, sorted by name in natural
 * order.
 * @param text the text to search for. Empty for all tokens.
 * @throws AppError FORBIDDEN for apps and for tokens that are limited to a workspace, a project, or a role
 */
export async function searchOwnTokens(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<OwnToken>> {
  authorizeAccount(actor)
  const found = await read(ofUser, actor.userId, text, page)
  const { rows } = found
  const [workspaces, projects] = await Promise.all([
    prisma().workspace.findMany({
      where: {
        AND: [visibleWorkspaces(actor), { id: { in: rows.flatMap((row) => row.workspaceId ?? []) } }],
      },
      select: { id: true, name: true },
    }),
    prisma().project.findMany({
      where: { AND: [visibleProjects(actor), { id: { in: rows.flatMap((row) => row.projectId ?? []) } }] },
      select: { id: true, name: true, workspace: { select: { name: true } } },
    }),
  ])
  const names = new Map<string, string>()
  for (const { id, name } of workspaces) names.set(id, name)
  for (const { id, name, workspace } of projects) names.set(id, `${workspace.name} / ${name}`)
  const placeOf = ({ workspaceId, projectId }: TokenInList) => {
    const id = workspaceId ?? projectId
    return id === null ? undefined : (names.get(id) ?? null)
  }
  return { ...found, rows: rows.map((row) => ({ ...row, place: placeOf(row) })) }
}

/**
 * Returns one page of the tokens that match a text and are limited to a workspace or one of its projects,
 * sorted by name in natural order. Requires `workspace:manage-tokens`.
 * @throws the errors of `requireWorkspace`
 */
export async function searchWorkspaceTokens(
  actor: Actor,
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<TokenInList>> {
  const workspace = await requireWorkspace(actor, 'workspace:manage-tokens', workspaceId)
  return read(ofWorkspace, workspace.id, text, page)
}

/**
 * Returns one page of a project's tokens that match a text, sorted by name in natural order. Requires
 * `project:manage-tokens` in the project.
 * @throws the errors of `requireProject`
 */
export async function searchProjectTokens(
  actor: Actor,
  projectId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<TokenInList>> {
  const project = await requireProject(actor, 'project:manage-tokens', projectId)
  return read(ofProject, project.id, text, page)
}

/**
 * Returns how many unexpired account tokens the members of a workspace have, and how many members have at
 * least one. Account tokens are not limited to a workspace, so they can access this workspace too. Tokens
 * that lack the two-factor authentication that the workspace requires are also counted. The tokens belong to
 * the members, so the tokens themselves are not returned. Requires `workspace:manage-tokens`.
 * @throws the errors of `requireWorkspace`
 */
export async function accountTokensWithAccess(
  actor: Actor,
  workspaceId: string,
): Promise<{ tokens: number; users: number }> {
  const { id } = await requireWorkspace(actor, 'workspace:manage-tokens', workspaceId)
  const ofMembers = { workspaceMemberships: { some: { workspaceId: id } } }
  const live: Prisma.ApiTokenWhereInput = {
    kind: 'ACCOUNT',
    OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(databaseNow()) } }],
  }
  const [tokens, users] = await Promise.all([
    prisma().apiToken.count({ where: { ...live, user: ofMembers } }),
    prisma().user.count({ where: { ...ofMembers, apiTokens: { some: live } } }),
  ])
  return { tokens, users }
}
