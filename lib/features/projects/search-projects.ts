import {
  likeLiteral,
  type NumberedPage,
  type NumberedRows,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { statement } from '@/lib/base/db/statements'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import {
  accessibleWorkspaceIds,
  externalUsersRoleInProject,
  type ProjectValues,
  projectValues,
  roleInProject,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/** A project in a list. */
export type ProjectInList = { id: string; name: string; description: string; createdAt: Date }

const find = statement<
  ProjectInList & { total: number },
  [...ProjectValues, workspaceId: string, text: string, limit: number, offset: number]
>(
  'search-projects',
  `SELECT p.id, p.name, p.description, p.created_at AS "createdAt", (count(*) OVER ())::int AS total
     FROM projects p JOIN workspaces w ON w.id = p.workspace_id ${roleInWorkspace()} ${roleInProject()}
    WHERE p.workspace_id = $7 AND ${visibleProject}
      AND (p.name ILIKE '%' || $8 || '%' OR p.description ILIKE '%' || $8 || '%')
    ORDER BY p.name COLLATE natural_order, p.id LIMIT $9 OFFSET $10`,
)

/**
 * Returns one page of a workspace's visible projects whose name or description contains a text, in natural
 * order of the names. Returns the first page if the requested page is empty.
 * @param text any text; only the first 80 characters are used, and an empty text matches all
 * @throws AppError INSUFFICIENT_SCOPE if an app has neither a `project:*` nor a `workspace:*` scope
 */
export const searchProjects = (
  actor: Actor,
  workspaceId: string,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<ProjectInList>> => {
  const values = projectValues(actor)
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => find(...values, workspaceId, literal, limit, offset))
}

/** A project with the name and slug of its workspace. */
export type FoundProject = { id: string; name: string; workspaceName: string; workspaceSlug: string }

/**
 * Returns the newest matching projects, up to `limit`. Reads up to `limit` matching projects of each
 * workspace from an index, so the cost does not depend on the size of the instance.
 */
const findOfFindProjects = statement<FoundProject, [...ProjectValues, patterns: string[], limit: number]>(
  'find-projects',
  `SELECT found.id, found.name, w.name AS "workspaceName", w.slug AS "workspaceSlug"
     FROM ${accessibleWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    CROSS JOIN LATERAL (
      SELECT p.id, p.name
        FROM projects p ${externalUsersRoleInProject}
       WHERE p.workspace_id = w.id AND ${visibleProject}
         AND p.name || ' ' || w.name ILIKE ALL ($7::text[])
       ORDER BY p.id DESC LIMIT $8) found
    ORDER BY found.id DESC LIMIT $8`,
)

/**
 * Returns up to `limit` projects that a user can see and that match all words, newest first. Each word can
 * match the name of the project or of its workspace. Excludes projects in workspaces that require two-factor
 * authentication if the session did not use it.
 * @param words any text fragments; if empty, all projects match
 */
export const findProjects = (
  actor: SessionActor,
  words: readonly string[],
  limit: number,
): Promise<FoundProject[]> =>
  findOfFindProjects(
    ...projectValues(actor),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
