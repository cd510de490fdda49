import { type CountedSlice, parsePage, searchLiteral } from '@/lib/base/db/paging'
import { statement } from '@/lib/base/db/statements'
import { badInput } from '@/lib/base/errors/app-error'
import { membersOfWorkspace } from '@/lib/features/workspaces/list-members'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import type { Actor } from '@/lib/policy/actor'
import { onlyEnvironment, roleOfActorInWorkspace } from '@/lib/policy/authorize'
import { allows, type WorkspacePermission } from '@/lib/policy/permissions'
import { rightsIn } from '@/lib/policy/require'
import {
  accessibleWorkspaceIds,
  externalUsersRoleInProject,
  type ProjectValues,
  projectValues,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/**
 * The kinds of results. If results match equally well, they are sorted by the order of their kinds in this
 * list.
 */
const kinds = [
  'WORKSPACE',
  'PROJECT',
  'ENVIRONMENT',
  'OAUTH_APP',
  'MEMBER',
  'API_TOKEN',
  'WEBHOOK',
  'VARIABLE',
] as const

export type Kind = (typeof kinds)[number]

/**
 * Returns the SELECT clause for results in the workspace `w`. `path` is an SQL expression for the names of
 * the resource's parents. If it is omitted, the workspace is the only parent. `projectId` and `environmentId`
 * are SQL expressions for the IDs of the result's project and environment.
 */
const thing = (
  kind: Kind,
  row: { id: string; name: string; path?: string; projectId?: string; environmentId?: string },
): string =>
  `SELECT ${kinds.indexOf(kind)} AS kind, ${row.id}::text AS id, ${row.name} AS name, ${row.path ?? 'w.name'} AS path,
          w.id AS workspace_id, ${row.projectId ?? 'NULL'}::uuid AS project_id, ${row.environmentId ?? 'NULL'}::uuid AS environment_id`

/** Returns a FROM clause for the workspaces `w` whose IDs are in an SQL array. */
const workspacesOf = (ids: string): string =>
  `FROM unnest(${ids}::uuid[]) AS asked(id) ${workspaceById('asked.id')}`

const inProject = `w.name || ' / ' || p.name`

/**
 * SQL that defines the table `things`, which contains all named resources that a caller can find. The first
 * parameters are `projectValues`. $7 is the only accessible environment, or null if there is no such limit.
 * $8 contains the IDs of the workspaces whose names and members are searched. $9, $10, and $11 contain the
 * IDs of the workspaces whose apps, tokens, and webhooks the caller can manage. Projects, environments, and
 * variables are included only if the project is visible.
 */
const namedThings = `WITH p AS MATERIALIZED (
    SELECT seen.*
      FROM ${accessibleWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
     CROSS JOIN LATERAL (
       SELECT p.id, p.name, p.workspace_id
         FROM projects p ${externalUsersRoleInProject} WHERE p.workspace_id = w.id AND ${visibleProject} OFFSET 0) seen),
  e AS MATERIALIZED (
    SELECT e.id, e.name, e.project_id FROM p JOIN environments e ON e.project_id = p.id WHERE $7::uuid IS NULL OR e.id = $7),
  things AS (
    ${thing('WORKSPACE', { id: 'w.id', name: 'w.name', path: `''` })} ${workspacesOf('$8')}
    UNION ALL ${thing('PROJECT', { id: 'p.id', name: 'p.name', projectId: 'p.id' })}
      FROM p ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('ENVIRONMENT', { id: 'e.id', name: 'e.name', path: inProject, projectId: 'p.id', environmentId: 'e.id' })}
      FROM e JOIN p ON p.id = e.project_id ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('VARIABLE', { id: 'v.id', name: 'v.name', path: `${inProject} || ' / ' || e.name`, projectId: 'p.id', environmentId: 'e.id' })}
      FROM variables v JOIN e ON e.id = v.environment_id JOIN p ON p.id = e.project_id ${workspaceById('p.workspace_id')}
    UNION ALL ${thing('MEMBER', { id: 'u.id', name: 'u.name' })} ${workspacesOf('$8')}
      ${membersOfWorkspace}
    UNION ALL ${thing('OAUTH_APP', { id: 'c.id', name: 'c.name' })} ${workspacesOf('$9')}
      JOIN oauth_clients c ON c.workspace_id = w.id
    UNION ALL ${thing('API_TOKEN', { id: 't.id', name: 't.name' })} ${workspacesOf('$10')}
      JOIN api_tokens t ON t.workspace_id = w.id
    UNION ALL ${thing('API_TOKEN', { id: 't.id', name: 't.name', path: `w.name || ' / ' || o.name`, projectId: 'o.id', environmentId: 't.environment_id' })}
      ${workspacesOf('$10')} JOIN projects o ON o.workspace_id = w.id JOIN api_tokens t ON t.project_id = o.id
    UNION ALL ${thing('WEBHOOK', { id: 'h.id', name: 'h.url' })} ${workspacesOf('$11')} JOIN webhooks h ON h.workspace_id = w.id)`

/**
 * A search result. Results are sorted by `position`: by the quality of the match, then by kind, then by name.
 */
export type Found = {
  id: string
  kind: Kind
  name: string
  /** The names of the parents, starting with the workspace and separated by ` / `. Empty for a workspace. */
  path: string
  workspaceId: string
  projectId: string | null
  environmentId: string | null
  position: string
}

/**
 * Returns SQL for the order of positions: by the quality of the match, then by kind, then by name in natural
 * order.
 */
const inOrder = (position: string): string =>
  `left(${position}, 2), substr(${position}, 3) COLLATE natural_order`

type Row = Omit<Found, 'kind'> & { kind: number; total: number }
type Ids = readonly string[]

const find = statement<
  Row,
  [
    ...ProjectValues,
    environmentId: string | null,
    read: Ids,
    apps: Ids,
    tokens: Ids,
    webhooks: Ids,
    words: Ids,
    text: string,
    after: string,
    limit: number,
  ]
>(
  'search-names',
  `${namedThings}, found AS (
    SELECT *, (CASE WHEN name ILIKE $13 THEN 0 WHEN name ILIKE $13 || '%' THEN 1 WHEN name ILIKE ALL ($12::text[]) THEN 2 ELSE 3 END
               || '' || kind || lower(name) || chr(9) || id || workspace_id) AS position
      FROM things WHERE name ILIKE ANY ($12) AND path || ' ' || name ILIKE ALL ($12))
  SELECT id, kind, name, path, workspace_id AS "workspaceId", project_id AS "projectId", environment_id AS "environmentId",
         position, (SELECT count(*) FROM found)::int AS total
    FROM found WHERE (${inOrder('position')}) > (${inOrder('$14::text')}) ORDER BY ${inOrder('position')} LIMIT $15`,
)

/**
 * Searches the names of resources that an actor can access, and the URLs of webhooks. Exact matches come
 * first, then prefixes, then other matches. At least one word must match the name of the resource. The other
 * words can match the names of its parents: `production database` finds `DATABASE_URL` in the environment
 * `production`. Workspaces and members are found only if the actor can read the members of the workspace.
 * Apps, tokens, and webhooks are found only if the actor can manage them in the workspace. Reads a page with
 * at most two statements.
 * @param text any text; only the first 80 characters are used
 * @param page the maximum number of results, and the cursor after which the page starts
 * @throws AppError BAD_USER_INPUT (no search word, an invalid number of results, or a cursor from another
 * list), INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope
 */
export async function searchNames(
  actor: Actor,
  text: string,
  page: { first?: number | null; after?: string | null },
): Promise<CountedSlice<Found>> {
  const literal = searchLiteral(text)
  const words = literal.split(/\s+/).filter(Boolean)
  if (words.length === 0) throw badInput('text', 'Enter at least one word.')
  const { limit } = parsePage({ first: page.first ?? null })
  const after = page.after == null ? '' : positionOf(page.after)
  const values = projectValues(actor)
  const managed = await workspacesByRight(actor)
  const read = (position: string, most: number) =>
    find(
      ...values,
      onlyEnvironment(actor),
      managed('workspace:read-members'),
      managed('workspace:manage-apps'),
      managed('workspace:manage-tokens'),
      managed('workspace:manage-webhooks'),
      words.map((word) => `%${word}%`),
      literal,
      position,
      most,
    )
  const rows = await read(after, limit + 1)
  return {
    rows: rows.slice(0, limit).map(({ total: _, ...row }) => ({ ...row, kind: kinds[row.kind] as Kind })),
    hasNextPage: rows.length > limit,
    hasPreviousPage: after !== '',
    count: async () => (rows[0] ?? (await read('', 1))[0])?.total ?? 0,
  }
}

/**
 * Returns a function that lists the IDs of the workspaces in which an actor has a permission. Uses at most
 * one statement. The lists are empty for a token that is limited to projects.
 */
async function workspacesByRight(actor: Actor): Promise<(permission: WorkspacePermission) => string[]> {
  const [, , workspaceIds] = projectValues(actor)
  const rows = workspaceIds?.length === 0 ? [] : await listWorkspaces(actor)
  return (permission) =>
    rows.filter((row) => allows(roleOfActorInWorkspace(actor, rightsIn(row)), permission)).map(({ id }) => id)
}

/** Returns the Relay cursor of a result. */
export const cursorOfFound = ({ position }: Found): string => Buffer.from(position).toString('base64url')

function positionOf(cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString()
  if (!/^[0-3]\d[^\0]+$/.test(position))
    throw badInput(
      'after',
      'This cursor doesn’t belong to this list. Use a cursor that the same list returned.',
    )
  return position
}
