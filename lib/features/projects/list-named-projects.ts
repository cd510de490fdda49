import { type CountedSlice, cutPage, type Page } from '@/lib/base/db/keyset'
import { likeLiteral } from '@/lib/base/db/like-literal'
import type { Actor } from '@/lib/policy/actor'
import type { ProjectRow } from '@/lib/policy/require'
import { reachedWorkspaceIds } from '@/lib/policy/visible'
import { countProjects, type ProjectFilter } from './count-projects'
import { listAllProjects } from './list-all-projects'
import { listWorkspaceProjects } from './list-projects'
import { pageOfProjects } from './page-of-projects'

const findNamed = pageOfProjects<[pattern: string, workspaceId: string | null]>(
  'list-named-projects',
  reachedWorkspaceIds,
  '$9',
  'p.name ILIKE $10 AND ($11::uuid IS NULL OR w.id = $11)',
)

const firstRow: Page = { limit: 1, backward: false, after: null, before: null }

/**
 * One page of the projects an actor sees, oldest first.
 * @param filter of one workspace, which they must know of; with a text in their names
 * @throws AppError as `listWorkspaceProjects` and `listAllProjects`
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
  // Where the workspace is not known, or not shared, that is what must be said.
  if (workspaceId != null) await list(firstRow)
  const rows = await findNamed(actor, page, `%${likeLiteral(search)}%`, workspaceId ?? null)
  return { ...cutPage(page, rows), count }
}
