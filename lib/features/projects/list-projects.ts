import { type Placed, placedCursor, readPlaced } from '@/lib/base/db/lists'
import {
  type CountedSlice,
  cutPage,
  highestId,
  inOrderOf,
  likeLiteral,
  lowestId,
  type Page,
  type Slice,
  type TextPage,
} from '@/lib/base/db/paging'
import { isId } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { type AppRules, appRulesColumns } from '@/lib/policy/app-policy'
import { authorizeEmptyProjectList } from '@/lib/policy/authorize'
import { clientIdOf, type ProjectRow, projectColumns } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { authorizeTwoFactor } from '@/lib/policy/two-factor'
import {
  accessibleWorkspaceIds,
  externalUsersRoleInProject,
  knownWorkspaceIds,
  type ProjectValues,
  projectValues,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/**
 * Prepares two statements, one for each paging direction. For each of several workspaces, they read up to one
 * page of visible projects from an index, so the cost does not depend on the size of the instance.
 * @param name the prefix of the names of the prepared statements; must be unique in the codebase
 * @param workspaces SQL that returns one column of workspace IDs. All additional parameters of the
 * statements, `places`, start at $10.
 * @param most SQL for the maximum total number of rows across all workspaces
 * @returns a function that reads each page's rows, and one more row if that page is not the last. The rows
 * are sorted oldest first, or newest first when paging backward.
 */
function pageOfProjects<Places extends unknown[] = []>(
  name: string,
  workspaces: string,
  most: string,
  /** SQL for an additional condition on the visible projects. */
  condition = 'true',
) {
  const inOrder = (suffix: string, order: 'ASC' | 'DESC') =>
    statement<ProjectRow, [...ProjectValues, after: string, before: string, limit: number, ...Places]>(
      `${name}-${suffix}`,
      `SELECT found.*
         FROM ${workspaces} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
        CROSS JOIN LATERAL (
          SELECT ${projectColumns('$4')}
            FROM projects p ${externalUsersRoleInProject}
           WHERE p.workspace_id = w.id AND ${visibleProject} AND p.id > $7 AND p.id < $8 AND ${condition}
           ORDER BY p.id ${order} LIMIT $9) found
        ORDER BY found.id ${order} LIMIT ${most}`,
      { textTimes: true },
    )
  const forward = inOrder('forward', 'ASC')
  const backward = inOrder('backward', 'DESC')
  return (actor: Actor, page: Page, ...places: Places): Promise<ProjectRow[]> =>
    (page.backward ? backward : forward)(
      ...projectValues(actor),
      page.after ?? lowestId,
      page.before ?? highestId,
      page.limit + 1,
      ...places,
    )
}

const findInMany = pageOfProjects<[ids: readonly string[], most: number | null]>(
  'list-projects',
  'unnest($10::uuid[])',
  '$11',
)

/**
 * Reads one page of the visible projects in one workspace. This is a separate statement, so that PostgreSQL
 * caches a plan for a single workspace.
 */
const findInOne = pageOfProjects<[id: string]>('list-workspace-projects', '(SELECT $10::uuid)', '$9')

/**
 * Returns one page of the projects that an actor can see in each workspace, oldest first. Uses one statement.
 * @param most the maximum number of rows for all workspaces together, or null for no limit; if this maximum
 * truncates a page, the caller rejects the whole request
 * @returns a page for each workspace, in the order of the IDs
 * @throws AppError INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope
 */
export async function listProjects(
  actor: Actor,
  workspaceIds: readonly string[],
  page: Page,
  most: number | null = null,
): Promise<Slice<ProjectRow>[]> {
  const rows = await findInMany(actor, page, workspaceIds, most)
  return inOrderOf(workspaceIds, rows, (row) => row.workspaceId).map((read) => cutPage(page, read))
}

const findRights = statement<
  AppRules & { role: Role | null; anyProject: boolean; requireTwoFactor: boolean },
  [userId: string | null, id: string, clientId: string | null]
>(
  'list-projects-rights',
  `SELECT wm.role, w.require_two_factor AS "requireTwoFactor", w.id IN ${knownWorkspaceIds} AS "anyProject",
          ${appRulesColumns('$3')}
     FROM workspaces w ${roleInWorkspace()} WHERE w.id = $2`,
)

/**
 * Returns one page of the projects that an actor can see in a workspace, oldest first. Users without a role
 * in the workspace see the projects in which they have a role. Apps can access only the projects that were
 * selected for them, individually or with the whole workspace.
 * @throws AppError INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope. If the
 * actor sees no project of the workspace: the errors of `authorizeEmptyProjectList` and `authorizeTwoFactor`.
 */
export async function listWorkspaceProjects(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<Slice<ProjectRow>> {
  const id = isId(workspaceId) ? workspaceId.toLowerCase() : lowestId
  const slice = cutPage(page, await findInOne(actor, page, id))
  if (slice.rows.length > 0) return slice
  // A page past the end of a list is also empty, so check the permissions only if the list has no first row.
  if ((await findInOne(actor, firstRow, id)).length === 0) {
    const [rights] = await findRights(actor.userId, id, clientIdOf(actor))
    authorizeEmptyProjectList(
      actor,
      workspaceId,
      rights && { ...rights, id, workspaceRole: rights.role ?? undefined },
    )
    if (rights) authorizeTwoFactor(actor, rights)
  }
  return slice
}

const firstRow: Page = { limit: 1, backward: false, after: null, before: null }

const findPage = pageOfProjects('list-all-projects', accessibleWorkspaceIds, '$9')

/**
 * Returns one page of all projects that an actor can see, oldest first. An app can list its selected projects
 * without knowing their workspaces.
 * @throws AppError INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope
 */
export async function listAllProjects(actor: Actor, page: Page): Promise<Slice<ProjectRow>> {
  return cutPage(page, await findPage(actor, page))
}

const findNamed = pageOfProjects<[pattern: string, workspaceId: string | null]>(
  'list-named-projects',
  accessibleWorkspaceIds,
  '$9',
  'p.name ILIKE $10 AND ($11::uuid IS NULL OR w.id = $11)',
)

/**
 * Returns one page of the projects that an actor can see and that match a filter, oldest first.
 * @param filter an accessible workspace and a text that the names must contain, both optional
 * @throws the errors of `listWorkspaceProjects` and `listAllProjects`
 */
export async function listNamedProjects(
  actor: Actor,
  filter: ProjectFilter,
  page: Page,
): Promise<CountedSlice<ProjectRow>> {
  const { workspaceId, search } = filter
  const list = (which: Page) =>
    workspaceId == null ? listAllProjects(actor, which) : listWorkspaceProjects(actor, workspaceId, which)
  const count = () => countProjects(actor, filter)
  if (!search) return { ...(await list(page)), count }
  // Throws the appropriate error if the workspace is unknown or not shared.
  if (workspaceId != null) await list(firstRow)
  const rows = await findNamed(actor, page, `%${likeLiteral(search)}%`, workspaceId ?? null)
  return { ...cutPage(page, rows), count }
}

/** A filter for the visible projects: an optional workspace, and an optional text in their names. */
export type ProjectFilter = { workspaceId?: string | null; search?: string | null }

/** Returns SQL for the visible projects `p` of workspaces with the given IDs. */
const seenIn = (workspaceIds: string): string =>
  `${workspaceIds} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
     JOIN projects p ON p.workspace_id = w.id ${externalUsersRoleInProject} WHERE ${visibleProject}`

const count = statement<
  { projects: number },
  [...ProjectValues, workspaceId: string | null, pattern: string | null]
>(
  'count-projects',
  `SELECT count(*)::int AS projects FROM ${seenIn(accessibleWorkspaceIds)}
      AND ($7::uuid IS NULL OR w.id = $7) AND ($8::text IS NULL OR p.name ILIKE $8)`,
)

const countOf = statement<
  { id: string; projects: number },
  [...ProjectValues, workspaceIds: readonly string[]]
>(
  'count-projects-of',
  `SELECT w.id, count(*)::int AS projects FROM ${seenIn('unnest($7::uuid[])')} GROUP BY w.id`,
)

/**
 * Counts the projects that an actor can see and that match a filter.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
 */
export async function countProjects(
  actor: Actor,
  { workspaceId, search }: ProjectFilter = {},
): Promise<number> {
  const values = projectValues(actor)
  if (workspaceId != null && !isId(workspaceId)) return 0
  const pattern = search ? `%${likeLiteral(search)}%` : null
  const [row] = await count(...values, workspaceId ?? null, pattern)
  return row?.projects ?? 0
}

/** Counts the visible projects in each workspace. Uses one statement. */
export async function countProjectsOf(actor: Actor, workspaceIds: readonly string[]): Promise<number[]> {
  const rows = await countOf(...projectValues(actor), workspaceIds)
  const counts = new Map(rows.map(({ id, projects }) => [id, projects]))
  return workspaceIds.map((id) => counts.get(id) ?? 0)
}

type Bound = [name: string | null, id: string | null]

const inOrder = (suffix: string, order: 'ASC' | 'DESC') =>
  statement<
    ProjectRow,
    [
      ...ProjectValues,
      pattern: string,
      workspaceId: string | null,
      ...after: Bound,
      ...before: Bound,
      limit: number,
    ]
  >(
    `projects-by-name-${suffix}`,
    `SELECT found.*
       FROM ${accessibleWorkspaceIds} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
      CROSS JOIN LATERAL (
        SELECT ${projectColumns('$4')}
          FROM projects p ${externalUsersRoleInProject}
         WHERE p.workspace_id = w.id AND ${visibleProject} AND p.name ILIKE $7
           AND ($8::uuid IS NULL OR w.id = $8)
           AND ($10::uuid IS NULL OR (p.name COLLATE natural_order, p.id) > ($9::text COLLATE natural_order, $10))
           AND ($12::uuid IS NULL OR (p.name COLLATE natural_order, p.id) < ($11::text COLLATE natural_order, $12))
      ) found
      ORDER BY found.name COLLATE natural_order ${order}, found.id ${order} LIMIT $13`,
  )

const forward = inOrder('forward', 'ASC')
const backward = inOrder('backward', 'DESC')

const firstRowOfListProjectsByName = { limit: 1, backward: false, after: null, before: null }

/**
 * Returns one page of the projects that an actor can see and that match a filter, in natural order of their
 * names ("Project 2" before "Project 10"). A cursor consists of a name and an ID, so it stays valid after its
 * project is deleted, and concurrent changes do not shift pages.
 * @param filter an accessible workspace and a text that the names must contain, both optional
 * @throws the errors of `listNamedProjects`, and BAD_USER_INPUT for a cursor from another list
 */
export async function listProjectsByName(
  actor: Actor,
  filter: ProjectFilter,
  page: TextPage,
): Promise<CountedSlice<ProjectRow & Placed>> {
  const after = readPlaced('after', page.after)
  const before = readPlaced('before', page.before)
  // Throws the appropriate error if the list is not accessible.
  await listNamedProjects(actor, filter, firstRowOfListProjectsByName)
  const read = page.backward ? backward : forward
  const rows = await read(
    ...projectValues(actor),
    `%${likeLiteral(filter.search ?? '')}%`,
    filter.workspaceId ?? null,
    after?.by ?? null,
    after?.id ?? null,
    before?.by ?? null,
    before?.id ?? null,
    page.limit + 1,
  )
  const placed = rows.map((row) => ({ ...row, cursor: placedCursor(row.id, row.name) }))
  return { ...cutPage(page, placed), count: () => countProjects(actor, filter) }
}
