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
  outsidersRoleInProject,
  type ProjectValues,
  projectValues,
  reachedWorkspaceIds,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/** What can be found by its name; of things whose names match alike, those of the first kind come first. */
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

/** SQL: the columns of a thing in the workspace `w`. `path` is the names of what it lies in; `projectId` and `environmentId` are ids. */
const thing = (
  kind: Kind,
  row: { id: string; name: string; path?: string; projectId?: string; environmentId?: string },
): string =>
  `SELECT ${kinds.indexOf(kind)} AS kind, ${row.id}::text AS id, ${row.name} AS name, ${row.path ?? 'w.name'} AS path,
          w.id AS workspace_id, ${row.projectId ?? 'NULL'}::uuid AS project_id, ${row.environmentId ?? 'NULL'}::uuid AS environment_id`

/** SQL: the workspaces `w` of an array of ids. */
const workspacesOf = (ids: string): string =>
  `FROM unnest(${ids}::uuid[]) AS asked(id) ${workspaceById('asked.id')}`

const inProject = `w.name || ' / ' || p.name`

/**
 * SQL: everything with a name that a caller reaches, as the table `things`. It takes `projectValues` as its first values, the one
 * environment that is reached as $7, or null, the workspaces whose people are seen as $8, and those whose apps, tokens and
 * webhooks are managed as $9, $10 and $11. What a project holds is looked for in the projects that are seen.
 */
const namedThings = `WITH p AS MATERIALIZED (
    SELECT seen.*
      FROM ${reachedWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
     CROSS JOIN LATERAL (
       SELECT p.id, p.name, p.workspace_id
         FROM projects p ${outsidersRoleInProject} WHERE p.workspace_id = w.id AND ${visibleProject} OFFSET 0) seen),
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

/** Something that was found by its name. `position` is its place among what was found: how well it matches, and then its name. */
export type Found = {
  id: string
  kind: Kind
  name: string
  /** The names of what it lies in, from the workspace down; empty for a workspace. */
  path: string
  workspaceId: string
  projectId: string | null
  environmentId: string | null
  position: string
}

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
               || '' || kind || lower(name) || ' ' || id || workspace_id) COLLATE "C" AS position
      FROM things WHERE name ILIKE ANY ($12) AND path || ' ' || name ILIKE ALL ($12))
  SELECT id, kind, name, path, workspace_id AS "workspaceId", project_id AS "projectId", environment_id AS "environmentId",
         position, (SELECT count(*) FROM found)::int AS total
    FROM found WHERE position > $14 ORDER BY position LIMIT $15`,
)

/**
 * Finds what has a name with these words, as far as an actor reaches: whole names first, then those that begin so. A word may
 * stand in the name of what the thing lies in instead, so `production database` finds a variable of that environment. Apps,
 * tokens and webhooks are found by who manages them. Two statements, whatever there is. See ADR 0032.
 * @param text anything; past 80 characters nothing is read
 * @param page how many at most, after which position
 * @throws AppError BAD_USER_INPUT (no word, no cursor of this list), INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function searchNames(
  actor: Actor,
  text: string,
  page: { first?: number | null; after?: string | null },
): Promise<CountedSlice<Found>> {
  const literal = searchLiteral(text)
  const words = literal.split(/\s+/).filter(Boolean)
  if (words.length === 0) throw badInput('text', 'Must contain a word.')
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

/** The workspaces in which an actor may do something; none for a token that is for projects alone. One statement. */
async function workspacesByRight(actor: Actor): Promise<(permission: WorkspacePermission) => string[]> {
  const [, , workspaceIds] = projectValues(actor)
  const rows = workspaceIds?.length === 0 ? [] : await listWorkspaces(actor)
  return (permission) =>
    rows.filter((row) => allows(roleOfActorInWorkspace(actor, rightsIn(row)), permission)).map(({ id }) => id)
}

/** Marks the place of what was found, as Relay's cursors do. */
export const cursorOfFound = ({ position }: Found): string => Buffer.from(position).toString('base64url')

function positionOf(cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString()
  if (!/^[0-3]\d[^\0]+$/.test(position)) throw badInput('after', 'This cursor does not belong to this list.')
  return position
}
