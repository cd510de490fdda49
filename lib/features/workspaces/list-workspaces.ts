import { type NumberedPage, type NumberedRows, readNumbered, searchLiteral } from '@/lib/base/db/paging'
import { statement } from '@/lib/base/db/statements'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns, type WorkspaceRow, workspaceColumns } from '@/lib/policy/require'
import {
  hasRoleInWorkspaceOrProject,
  knownWorkspaceIds,
  limitedWorkspaceIds,
  type ProjectValues,
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
  visibleWorkspace,
  type WorkspaceValues,
  workspaceById,
  workspacesOfUser,
  workspaceValues,
} from '@/lib/policy/visible'

const findOfUser = statement<WorkspaceRow, WorkspaceValues>(
  'list-workspaces',
  `SELECT ${workspaceColumns('$4')} FROM ${workspacesOfUser} ORDER BY w.id`,
  { connections: 'shared' },
)

const findOfInstallation = statement<WorkspaceRow, WorkspaceValues>(
  'list-workspaces-of-installation',
  `SELECT ${workspaceColumns('$4')}
     FROM workspaces w ${roleInWorkspace()} WHERE ${visibleWorkspace}
    ORDER BY w.id`,
  { connections: 'shared' },
)

/**
 * Returns the workspaces that an actor can see, oldest first, each with the user's role, which is null for an
 * app installation. Excludes workspaces in which the user has roles only in projects. Uses one statement.
 * @throws AppError INSUFFICIENT_SCOPE for an app without a `workspace:*` scope
 */
export async function listWorkspaces(actor: Actor): Promise<WorkspaceRow[]> {
  return (actor.userId === null ? findOfInstallation : findOfUser)(...workspaceValues(actor))
}

type Row = WorkspaceRow & { total: number }

const find = statement<Row, [userId: string, text: string, limit: number, offset: number]>(
  'search-workspaces',
  `SELECT ${workspaceColumns('NULL')}, (count(*) OVER ())::int AS total
     FROM ${knownWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    WHERE w.name ILIKE '%' || $2 || '%' OR w.slug ILIKE '%' || $2 || '%'
    ORDER BY wm.role IS NULL, w.name COLLATE natural_order, w.id LIMIT $3 OFFSET $4`,
)

/**
 * Returns one page of the workspaces that a user can open in the console and whose name or slug contains a
 * text, in natural order of their names. Case is ignored. Workspaces in which the user has a role come first,
 * followed by workspaces in which the user has roles only in projects (`role` is null). Includes workspaces
 * that require two-factor authentication, because their pages explain what to do.
 * @param text any text; an empty text matches all
 */
export const searchWorkspaces = (
  actor: SessionActor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<WorkspaceRow>> =>
  readNumbered(page, (limit, offset) => find(actor.userId, searchLiteral(text), limit, offset))

const findOpened = statement<WorkspaceRow, [userId: string, slugs: readonly string[], most: number]>(
  'list-opened-workspaces',
  `SELECT ${workspaceColumns('NULL')}
     FROM ${limitedWorkspaceIds('$3', '$2')} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    WHERE ${hasRoleInWorkspaceOrProject}
    ORDER BY wm.role IS NULL, w.name COLLATE natural_order, w.id`,
)

/**
 * Returns the workspaces with the given slugs and a few others for a console page. Omits the rest, because a
 * user can have many workspaces. Excludes workspaces that the user cannot open. The order is the same as in
 * `searchWorkspaces`. Includes workspaces that require two-factor authentication. Uses one statement.
 * @param slugs the slugs of the current workspace and of recently opened ones
 * @param most the maximum number of additional workspaces of each kind: those in which the user has a role,
 *   and those in which the user has roles only in projects
 */
export const listOpenedWorkspaces = (
  actor: SessionActor,
  slugs: readonly string[],
  most: number,
): Promise<WorkspaceRow[]> => findOpened(actor.userId, slugs, most)

const findSlugs = statement<{ id: string; slug: string }, [userId: string, ids: readonly string[]]>(
  'slugs-of-workspaces',
  `SELECT w.id, w.slug FROM unnest($2::uuid[]) AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
    WHERE ${hasRoleInWorkspaceOrProject}`,
)

/**
 * Returns the slugs of the given workspaces, by workspace ID. Omits workspaces that the user cannot open.
 * Uses one statement.
 */
export const slugsOfWorkspaces = async (
  actor: SessionActor,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  new Map((await findSlugs(actor.userId, [...new Set(ids)])).map(({ id, slug }) => [id, slug]))

const findReachable = statement<WorkspaceRow, [userId: string]>(
  'list-reachable-workspaces',
  `SELECT ${workspaceColumns('NULL')}
     FROM ${knownWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    ORDER BY wm.role IS NULL, w.name, w.id`,
)

/**
 * Returns all workspaces that a user can open in the console, sorted by name. Workspaces in which the user
 * has a role come first, followed by workspaces in which the user has roles only in projects (`role` is
 * null). Includes workspaces that require two-factor authentication, because their pages explain what to do.
 * Uses one statement.
 */
export const listReachableWorkspaces = (actor: SessionActor): Promise<WorkspaceRow[]> =>
  findReachable(actor.userId)

/** A workspace that the user is not a member of, with the projects in which the user has a role. */
export type ExternalWorkspace = { id: string; name: string; projects: ProjectRow[] }

const findOfListExternalWorkspaces = statement<ProjectRow & { workspaceName: string }, ProjectValues>(
  'list-external-workspaces',
  `SELECT ${projectColumns('$4')}, w.name AS "workspaceName"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE pm.role IS NOT NULL AND wm.role IS NULL AND ${visibleProject}
    ORDER BY w.id, p.id`,
)

/**
 * Returns the workspaces in which the user has roles only in projects, oldest first, with those of the
 * projects that the actor can see. Omits workspaces without such a project. Uses one statement.
 * @throws AppError INSUFFICIENT_SCOPE for an app without a `project:*` or `workspace:*` scope
 */
export async function listExternalWorkspaces(actor: Actor): Promise<ExternalWorkspace[]> {
  const workspaces = new Map<string, ExternalWorkspace>()
  for (const row of await findOfListExternalWorkspaces(...projectValues(actor))) {
    const { workspaceName, ...project } = row
    const workspace = workspaces.get(project.workspaceId)
    if (workspace) workspace.projects.push(project)
    else
      workspaces.set(project.workspaceId, {
        id: project.workspaceId,
        name: workspaceName,
        projects: [project],
      })
  }
  return [...workspaces.values()]
}
