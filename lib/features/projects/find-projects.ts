import { likeLiteral } from '@/lib/base/db/like-literal'
import { statement } from '@/lib/base/db/statement'
import type { SessionActor } from '@/lib/policy/actor'
import { staysOutside } from '@/lib/policy/two-factor'

/** A project with what names its workspace to people. */
export type FoundProject = { id: string; name: string; workspaceName: string; workspaceSlug: string }

/** Reads at most `limit` projects from each workspace along its index, so that the cost follows the person. */
const find = statement<
  FoundProject,
  [userId: string, secondFactorShown: boolean, patterns: string[], limit: number]
>(
  'find-projects',
  `SELECT found.id, found.name, w.name AS "workspaceName", w.slug AS "workspaceSlug"
     FROM (SELECT workspace_id AS id FROM workspace_members WHERE user_id = $1
            UNION
           SELECT p.workspace_id FROM project_members pm JOIN projects p ON p.id = pm.project_id
            WHERE pm.user_id = $1) AS known
     JOIN workspaces w ON w.id = known.id AND ($2 OR NOT w.require_two_factor)
     LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = $1
    CROSS JOIN LATERAL (
      SELECT p.id, p.name
        FROM projects p LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.user_id = $1
       WHERE p.workspace_id = w.id AND (wm.role IS NOT NULL OR pm.role IS NOT NULL)
         AND p.name || ' ' || w.name ILIKE ALL ($3::text[])
       ORDER BY p.id DESC LIMIT $4) found
    ORDER BY found.id DESC LIMIT $4`,
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
    actor.userId,
    !staysOutside(actor),
    words.map((word) => `%${likeLiteral(word)}%`),
    limit,
  )
