import { inOrderOf } from '@/lib/base/db/in-order-of'
import { type CountedSlice, cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Environment } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { onlyEnvironment } from '@/lib/policy/authorize'
import { requireProject } from '@/lib/policy/require'

/**
 * One page of a project's environments, oldest first.
 * @throws AppError as `authorizeProject`
 */
export async function listEnvironments(
  actor: Actor,
  projectId: string,
  page: Page,
): Promise<CountedSlice<Environment>> {
  const project = await requireProject(actor, 'project:read', projectId)
  const { bounds, ...window } = keysetQuery(page)
  const where = { projectId: project.id, AND: [within(actor)] }
  const rows = await prisma().environment.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().environment.count({ where }) }
}

/** The environments that an actor reaches, of projects that they reach. */
const within = (actor: Actor) => {
  const id = onlyEnvironment(actor)
  return id === null ? {} : { id }
}

/** How many environments each of several projects has. The caller has required `project:read` on each. */
export async function countEnvironmentsOf(actor: Actor, projectIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().environment.groupBy({
    by: 'projectId',
    where: { projectId: { in: [...projectIds] }, ...within(actor) },
    _count: true,
  })
  const counts = new Map(groups.map(({ projectId, _count }) => [projectId, _count]))
  return projectIds.map((id) => counts.get(id) ?? 0)
}

type Values = [
  projectIds: readonly string[],
  after: string | null,
  before: string | null,
  limit: number,
  most: number,
  only: string | null,
]

const findPage = (name: string, order: 'ASC' | 'DESC') =>
  statement<Environment, Values>(
    name,
    `SELECT found.*
       FROM unnest($1::uuid[]) AS asked(id)
      CROSS JOIN LATERAL (
        SELECT e.id, e.project_id AS "projectId", e.name, e.revision, e.created_at AS "createdAt", e.updated_at AS "updatedAt"
          FROM environments e
         WHERE e.project_id = asked.id AND ($2::uuid IS NULL OR e.id > $2) AND ($3::uuid IS NULL OR e.id < $3)
           AND ($6::uuid IS NULL OR e.id = $6)
         ORDER BY e.id ${order} LIMIT $4) found
      ORDER BY found.id ${order} LIMIT $5`,
  )

const findForward = findPage('list-environments-forward', 'ASC')
const findBackward = findPage('list-environments-backward', 'DESC')

/**
 * One page of the environments of each of several projects, oldest first. One statement for all of them.
 * The caller has required `project:read` on each.
 * @param most rows of all projects together; where that cuts a page short, the caller refuses the whole
 * @returns for each project, in order, its page
 */
export async function listEnvironmentsOf(
  actor: Actor,
  projectIds: readonly string[],
  page: Page,
  most: number,
): Promise<Slice<Environment>[]> {
  const find = page.backward ? findBackward : findForward
  const rows = await find(projectIds, page.after, page.before, page.limit + 1, most, onlyEnvironment(actor))
  return inOrderOf(projectIds, rows, (row) => row.projectId).map((read) => cutPage(page, read))
}
