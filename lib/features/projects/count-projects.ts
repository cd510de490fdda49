import { likeLiteral } from '@/lib/base/db/like-literal'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import {
  outsidersRoleInProject,
  type ProjectValues,
  projectValues,
  reachedWorkspaceIds,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'

/** Which of the projects that an actor sees: those of one workspace, those whose names hold a text. */
export type ProjectFilter = { workspaceId?: string | null; search?: string | null }

/** SQL: the projects `p` that are seen, of workspaces by their ids. */
const seenIn = (workspaceIds: string): string =>
  `${workspaceIds} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
     JOIN projects p ON p.workspace_id = w.id ${outsidersRoleInProject} WHERE ${visibleProject}`

const count = statement<
  { projects: number },
  [...ProjectValues, workspaceId: string | null, pattern: string | null]
>(
  'count-projects',
  `SELECT count(*)::int AS projects FROM ${seenIn(reachedWorkspaceIds)}
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
 * How many projects an actor sees.
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

/** The same for each of several workspaces. One statement. */
export async function countProjectsOf(actor: Actor, workspaceIds: readonly string[]): Promise<number[]> {
  const rows = await countOf(...projectValues(actor), workspaceIds)
  const counts = new Map(rows.map(({ id, projects }) => [id, projects]))
  return workspaceIds.map((id) => counts.get(id) ?? 0)
}
