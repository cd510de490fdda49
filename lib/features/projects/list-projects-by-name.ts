import { type CountedSlice, cutPage } from '@/lib/base/db/keyset'
import { likeLiteral } from '@/lib/base/db/like-literal'
import type { TextPage } from '@/lib/base/db/page-of-all'
import { type Placed, placedCursor, readPlaced } from '@/lib/base/db/places'
import { statement } from '@/lib/base/db/statement'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, projectColumns } from '@/lib/policy/require'
import {
  outsidersRoleInProject,
  type ProjectValues,
  projectValues,
  reachedWorkspaceIds,
  roleInWorkspace,
  visibleProject,
  workspaceById,
} from '@/lib/policy/visible'
import { countProjects, type ProjectFilter } from './count-projects'
import { listNamedProjects } from './list-named-projects'

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
       FROM ${reachedWorkspaceIds} AS asked(id) ${workspaceById('asked.id')} ${roleInWorkspace()}
      CROSS JOIN LATERAL (
        SELECT ${projectColumns('$4')}
          FROM projects p ${outsidersRoleInProject}
         WHERE p.workspace_id = w.id AND ${visibleProject} AND p.name ILIKE $7
           AND ($8::uuid IS NULL OR w.id = $8)
           AND ($10::uuid IS NULL OR (p.name COLLATE natural_order, p.id) > ($9::text COLLATE natural_order, $10))
           AND ($12::uuid IS NULL OR (p.name COLLATE natural_order, p.id) < ($11::text COLLATE natural_order, $12))
      ) found
      ORDER BY found.name COLLATE natural_order ${order}, found.id ${order} LIMIT $13`,
  )

const forward = inOrder('forward', 'ASC')
const backward = inOrder('backward', 'DESC')

const firstRow = { limit: 1, backward: false, after: null, before: null }

/**
 * One page of the projects an actor sees, in natural order of their names ("Project 2" before "Project 10"). Rows that come
 * and go meanwhile shift no page: a cursor is a name and an id, which need not be there any more.
 * @param filter of one workspace, which they must know of; with a text in their names
 * @throws AppError as `listNamedProjects`, BAD_USER_INPUT for a cursor of another list
 */
export async function listProjectsByName(
  actor: Actor,
  filter: ProjectFilter,
  page: TextPage,
): Promise<CountedSlice<ProjectRow & Placed>> {
  const after = readPlaced('after', page.after)
  const before = readPlaced('before', page.before)
  // Where nothing may be listed, that is what must be said.
  await listNamedProjects(actor, filter, firstRow)
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
