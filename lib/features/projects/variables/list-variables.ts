import { unseal } from '@/lib/base/credentials/seal'
import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { listEach } from '@/lib/base/db/list-each'
import { prisma } from '@/lib/base/db/prisma'
import type { Variable, VariableChange } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireApproval } from '@/lib/policy/approvals'
import { authorizeProject } from '@/lib/policy/authorize'
import { type ProjectRow, rightsOf } from '@/lib/policy/require'
import { requireEnvironment } from '../environments/require-environment'

/** A variable with the project whose roles decide who may read its value. */
export type VariableRow = Variable & { project: ProjectRow }

/**
 * One page of an environment's variables, oldest first. Viewers see them too, without values.
 * @param names only these; all unless given
 * @throws AppError as `authorizeProject`
 */
export async function listVariables(
  actor: Actor,
  environmentId: string,
  page: Page,
  names?: readonly string[] | null,
): Promise<CountedSlice<VariableRow>> {
  const { environment, project } = await requireEnvironment(actor, 'project:read', environmentId)
  const { bounds, ...window } = keysetQuery(page)
  const where = { environmentId: environment.id, name: names ? { in: [...names] } : undefined }
  const rows = await prisma().variable.findMany({ where: { ...where, id: bounds }, ...window })
  const slice = cutPage(
    page,
    rows.map((row) => ({ ...row, project })),
  )
  return { ...slice, count: () => prisma().variable.count({ where }) }
}

/**
 * Opens a variable's value. Takes `project:read-values`.
 * @throws AppError as `authorizeProject` and `requireApproval`
 */
export async function readValue(actor: Actor, variable: VariableRow): Promise<string> {
  const { project, environmentId } = variable
  authorizeProject(actor, 'project:read-values', project.id, rightsOf(project))
  await requireApproval(actor, 'project:read-values', { type: 'environment', id: environmentId }, project)
  return unseal(variable.sealedValue, 'variable')
}

/**
 * One page of who changed which variable of an environment when, the latest first. Values are kept nowhere.
 * @throws AppError as `authorizeProject`
 */
export async function listVariableChanges(
  actor: Actor,
  environmentId: string,
  page: Page,
): Promise<CountedSlice<VariableChange>> {
  const { environment } = await requireEnvironment(actor, 'project:read', environmentId)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const where = { environmentId: environment.id }
  const rows = await prisma().variableChange.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().variableChange.count({ where }) }
}

/** The variables of several environments, oldest first, without their projects. The caller has required `project:read` on each. */
export const variablesOf = listEach('variables-of', { table: 'variables', parent: 'environment_id' }, (ids) =>
  prisma().variable.findMany({ where: { id: { in: ids } } }),
)
