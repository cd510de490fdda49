import { z } from 'zod'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { requireBelowLimit } from '@/lib/base/db/limits'
import {
  type CountedSlice,
  cutPage,
  inOrderOf,
  keysetQuery,
  type Page,
  type Slice,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Environment } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireApproval } from '@/lib/policy/approvals'
import { authorizeProject, environmentRefusal, onlyEnvironment } from '@/lib/policy/authorize'
import type { ProjectPermission } from '@/lib/policy/permissions'
import { clientIdOf, type ProjectRow, projectColumns, requireProject, rightsOf } from '@/lib/policy/require'
import { authorizeTwoFactor } from '@/lib/policy/two-factor'
import { roleInProject, roleInWorkspace } from '@/lib/policy/visible'

const name = nameInput('Enter a name.', 60)

const createEnvironmentInput = z.object({ projectId: z.string(), name })

const updateEnvironmentInput = z.object({ name })

type Row = ProjectRow & {
  environmentId: string
  environmentName: string
  revision: number
  made: Date
  changed: Date
  requireTwoFactor: boolean
}

const find = statement<Row, [userId: string | null, id: string, clientId: string | null]>(
  'require-environment',
  `SELECT ${projectColumns('$3')}, e.id AS "environmentId", e.name AS "environmentName", e.revision, e.created_at AS made,
          e.updated_at AS changed, w.require_two_factor AS "requireTwoFactor"
     FROM environments e
     JOIN projects p ON p.id = e.project_id
     JOIN workspaces w ON w.id = p.workspace_id
     ${roleInWorkspace()} ${roleInProject()}
    WHERE e.id = $2`,
)

/**
 * Loads an environment with one statement, and requires a permission on its project.
 * @returns the environment, and the project with the user's roles
 * @throws the errors of `authorizeProject` (NOT_FOUND errors name the environment), `authorizeTwoFactor`, and
 * `requireApproval`; RESOURCE_NOT_SHARED if the token is limited to another environment
 */
export async function requireEnvironment(
  actor: Actor,
  permission: ProjectPermission,
  id: string,
): Promise<{ environment: Environment; project: ProjectRow }> {
  const [row] = isId(id) ? await find(actor.userId, id, clientIdOf(actor)) : []
  authorizeProject(actor, permission, row?.id ?? id, row && rightsOf(row), { type: 'environment', id })
  const { environmentId, environmentName, revision, made, changed, requireTwoFactor, ...project } = row as Row
  authorizeTwoFactor(actor, { requireTwoFactor })
  const refused = environmentRefusal(actor, environmentId)
  if (refused) throw refused
  await requireApproval(actor, permission, { type: 'environment', id: environmentId }, project)
  const environment = {
    id: environmentId,
    projectId: project.id,
    name: environmentName,
    revision,
    createdAt: made,
    updatedAt: changed,
  }
  return { environment, project }
}

/**
 * Returns one page of a project's environments, oldest first. If the token is limited to one environment,
 * returns only that environment. Requires `project:read`.
 * @throws the errors of `requireProject`
 */
export async function listEnvironments(
  actor: Actor,
  projectId: string,
  page: Page,
): Promise<CountedSlice<Environment>> {
  const project = await requireProject(actor, 'project:read', projectId)
  const { bounds, ...window } = keysetQuery(page)
  const where = { projectId: project.id, AND: [inTokenEnvironment(actor)] }
  const rows = await prisma().environment.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().environment.count({ where }) }
}

/**
 * Returns a filter for the environments that an actor's token can access. The caller must check access to the
 * project.
 */
const inTokenEnvironment = (actor: Actor) => {
  const id = onlyEnvironment(actor)
  return id === null ? {} : { id }
}

/**
 * Counts the environments in each project. If the actor's token is limited to one environment, counts only
 * that environment. The caller must first check `project:read` for each project.
 * @returns the counts, in the order of the project IDs
 */
export async function countEnvironmentsOf(actor: Actor, projectIds: readonly string[]): Promise<number[]> {
  const groups = await prisma().environment.groupBy({
    by: 'projectId',
    where: { projectId: { in: [...projectIds] }, ...inTokenEnvironment(actor) },
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
 * Returns one page of each project's environments, oldest first. If the token is limited to one environment,
 * returns only that environment. Uses one statement. The caller must first check `project:read` for each
 * project.
 * @param most the maximum number of rows for all projects together; if this maximum truncates a page, the
 * caller rejects the whole request
 * @returns a page for each project, in the order of the IDs
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

/** The maximum number of environments in a project. */
export const maxEnvironments = 100

/**
 * Creates an environment in a project. Requires `project:manage-environments`.
 * @param input `projectId`, `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT (`name` is taken, or too many environments), and the errors of
 * `requireProject`
 */
export async function createEnvironment(actor: Actor, input: unknown): Promise<Environment> {
  const { projectId, name } = parseInput(createEnvironmentInput, input)
  const project = await requireProject(actor, 'project:manage-environments', projectId)
  return refuseTwins(
    prisma().$transaction(async (tx) => {
      const room = {
        of: { table: 'projects' as const, id: project.id },
        most: maxEnvironments,
        message: `A project can have up to ${maxEnvironments} environments. Delete one first.`,
      }
      await requireBelowLimit(tx, room, () => tx.environment.count({ where: { projectId: project.id } }))
      const environment = await tx.environment.create({ data: { projectId: project.id, name } })
      await recordEvent(tx, actor, {
        action: 'environment.created',
        resource: { type: 'environment', id: environment.id },
        workspaceId: project.workspaceId,
        details: { projectId: project.id, name },
      })
      return environment
    }),
  )
}

/**
 * Renames an environment. Requires `project:manage-environments`.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT (`name` is taken), NOT_FOUND (the environment was deleted
 * concurrently), and the errors of `requireEnvironment`
 */
export async function renameEnvironment(actor: Actor, id: string, input: unknown): Promise<Environment> {
  const { name } = parseInput(updateEnvironmentInput, input)
  const { environment, project } = await requireEnvironment(actor, 'project:manage-environments', id)
  return refuseTwins(
    prisma().$transaction(async (tx) => {
      const [renamed] = await tx.environment.updateManyAndReturn({
        where: { id: environment.id },
        data: { name },
      })
      if (!renamed) throw new AppError('NOT_FOUND')
      await recordEvent(tx, actor, {
        action: 'environment.renamed',
        resource: { type: 'environment', id: environment.id },
        workspaceId: project.workspaceId,
        details: { projectId: project.id, from: environment.name, to: name },
      })
      return renamed
    }),
  )
}

/**
 * Deletes an environment with its variables, their history, and the tokens that are limited to the
 * environment. Does nothing if a concurrent request has already deleted the environment. Requires
 * `project:delete`.
 * @throws the errors of `requireEnvironment`
 */
export async function deleteEnvironment(actor: Actor, id: string): Promise<void> {
  const { environment, project } = await requireEnvironment(actor, 'project:delete', id)
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.environment.deleteMany({ where: { id: environment.id } })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action: 'environment.deleted',
      resource: { type: 'environment', id: environment.id },
      workspaceId: project.workspaceId,
      details: { projectId: project.id, name: environment.name },
    })
  })
}

const refuseTwins = <T>(writing: Promise<T>): Promise<T> =>
  writing.catch((error) => {
    if (!uniqueViolation(error)) throw error
    const message = 'The project already has an environment with this name.'
    throw new AppError('CONFLICT', message, { field: 'name', fields: { name: message } })
  })
