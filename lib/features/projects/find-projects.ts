import { likeLiteral } from '@/lib/base/db/like-literal'
import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import {
  outsidersRoleInProject,
  type ProjectValues,
  projectValues,
  reachedWorkspaceIds,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/** A project with what names its workspace to people. */
export type FoundProject = { id: string; name: string; workspaceName: string; workspaceSlug: string }

/** Reads at most `limit` projects from each workspace along its index, so that the cost follows the person. */
const find = statement<FoundProject, [...ProjectValues, patterns: string[], limit: number]>(
  'find-projects',
  `SELECT found.id, found.name, w.name AS "workspaceName", w.slug AS "workspaceSlug"
     FROM ${reachedWorkspaceIds} AS known ${workspaceById('known.id')} ${roleInWorkspace()}
    CROSS JOIN LATERAL (
      SELECT p.id, p.name
        FROM projects p ${outsidersRoleInProject}
       WHERE p.workspace_id = w.id AND ${visibleProject}
         AND p.name || ' ' || w.name ILIKE ALL ($7::text[])
       ORDER BY p.id DESC LIMIT $8) found
    ORDER BY found.id DESC LIMIT $8`,
)

/**
 * The newest projects that a person sees, whatever their workspace, and whose names or whose workspace's hold every word.
 * Those of workspaces that ask for a second factor are left out of a session without one.
 * @param words any texts; none for all projects
 */
export const findProjects = (
  actor: SessionActor,
  words: readonly string[],
  limit: number,
): Promise<FoundProject[]> =>
  find(
    ...projectValues(actor),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
