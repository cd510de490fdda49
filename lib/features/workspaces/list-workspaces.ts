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
 * The workspaces an actor sees, oldest first, each with the user's role in it. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `workspace:*` scope
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
 * One page of the workspaces a user can open in the console whose name or address holds a text: their own, and after them
 * those where they only share a project (`role` is null there), each in natural order. Those that require two-factor
 * authentication are listed too: their page says what to do. One statement, by name.
 * @param text anything; empty for all of them
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
 * What a console page says of workspaces, however many the user has: those of the given addresses that they can open, and
 * a few others. One statement, by name. Like `searchWorkspaces` it lists those that require two-factor authentication.
 * @param slugs the addresses of the one whose page is open and of those opened lately
 * @param most how many others at most
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

/** The addresses of those of several workspaces that a user can open, by id. One statement. */
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
 * Every workspace a user can open in the console: their own, and after them those where they only share a project
 * (`role` is null there). Those that require two-factor authentication are listed too: their page says what to do. One statement, by name.
 */
export const listReachableWorkspaces = (actor: SessionActor): Promise<WorkspaceRow[]> =>
  findReachable(actor.userId)

/** A workspace the user is no member of, with the projects of it they have a role in. */
export type ExternalWorkspace = { id: string; name: string; projects: ProjectRow[] }

const findOfListExternalWorkspaces = statement<ProjectRow & { workspaceName: string }, ProjectValues>(
  'list-external-workspaces',
  `SELECT ${projectColumns('$4')}, w.name AS "workspaceName"
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE pm.role IS NOT NULL AND wm.role IS NULL AND ${visibleProject}
    ORDER BY w.id, p.id`,
)

/**
 * The workspaces that the user knows from outside, through a role in some of their projects. One statement.
 * @throws AppError INSUFFICIENT_SCOPE without a `project:*` or `workspace:*` scope
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
