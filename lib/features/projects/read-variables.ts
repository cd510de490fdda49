import { z } from 'zod'
import { unseal } from '@/lib/base/credentials/seal'
import { pagesByParent } from '@/lib/base/db/lists'
import { type CountedSlice, cutPage, inOrderOf, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Variable, VariableChange } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireApproval } from '@/lib/policy/approvals'
import { authorizeProject, environmentRefusal } from '@/lib/policy/authorize'
import { type ProjectRow, requireProject, rightsOf } from '@/lib/policy/require'
import { requireEnvironment } from './environments'

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits, and underscores, and don’t start with a digit.')
  .max(128, 'Use at most 128 characters.')

/** The maximum size of a value in bytes of UTF-8 text. */
const maxValueBytes = 32 * 1024

const value = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxValueBytes, 'Use at most 32 KiB.')
  .refine((text) => !text.includes('\0'), 'Remove NUL characters.')

export const setVariableInput = z.object({ environmentId: z.string(), name, value })

export const setVariablesInput = z.object({
  environmentId: z.string(),
  variables: z
    .array(z.object({ name, value }))
    .max(100, 'Send at most 100 variables.')
    .refine(
      (list) => new Set(list.map((each) => each.name)).size === list.length,
      'Send each variable only once.',
    ),
  replace: z.boolean().nullish(),
  expectedRevision: z.number().int().nullish(),
})

export const variableInput = z.object({ environmentId: z.string(), name: z.string() })

/** Returns the error for a variable name that does not exist in the environment. */
export const unknownVariable = (name: string) =>
  new AppError('NOT_FOUND', 'The variable was not found.', { resource: { type: 'variable', id: name } })

/**
 * Returns a variable's name for a query.
 * @throws the error of `unknownVariable` for a name with a NUL character, which PostgreSQL cannot store
 */
export function storedName(name: string): string {
  if (name.includes('\0')) throw unknownVariable(name)
  return name
}

/**
 * A variable with its project. The row of the project contains the user's roles, which determine whether the
 * user can read the value.
 */
export type VariableRow = Variable & { project: ProjectRow }

/**
 * Returns one page of an environment's variables, oldest first. Requires `project:read`. The values remain
 * encrypted. `readValue` checks who can read them.
 * @param names the names of the variables to return, or null or undefined for all variables
 * @throws the errors of `requireEnvironment`
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
 * Decrypts and returns the value of a variable. Requires `project:read-values`.
 * @throws the errors of `authorizeProject` and `requireApproval`
 */
export async function readValue(actor: Actor, variable: VariableRow): Promise<string> {
  const { project, environmentId } = variable
  authorizeProject(actor, 'project:read-values', project.id, rightsOf(project))
  await requireApproval(actor, 'project:read-values', { type: 'environment', id: environmentId }, project)
  return unseal(variable.sealedValue, 'variable')
}

/**
 * Returns one page of the changes to an environment's variables, newest first. The history contains no
 * values. Requires `project:read`.
 * @throws the errors of `requireEnvironment`
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

/**
 * Functions for the variables of several environments. They read one page of each environment's variables,
 * oldest first and without the project, and count the variables. The caller must first check `project:read`
 * for each environment.
 */
export const variablesOf = pagesByParent(
  'variables-of',
  { table: 'variables', parent: 'environment_id' },
  (ids) => prisma().variable.findMany({ where: { id: { in: ids } } }),
)

/** A variable in a list, without its value. */
export type VariableName = { id: string; environmentId: string; name: string; updatedAt: Date }

/**
 * Returns the variables in several environments of one project, without their values and in alphabetical
 * order. Requires `project:read`. Uses two statements.
 * @returns the variables of each environment, in the order of the IDs; an empty list for each environment
 * that belongs to another project or that the token cannot access
 * @throws the errors of `requireProject`
 */
export async function listVariableNames(
  actor: Actor,
  projectId: string,
  environmentIds: readonly string[],
): Promise<VariableName[][]> {
  const project = await requireProject(actor, 'project:read', projectId)
  const rows = await prisma().variable.findMany({
    where: {
      environmentId: { in: environmentIds.filter((id) => !environmentRefusal(actor, id)) },
      environment: { projectId: project.id },
    },
    select: { id: true, environmentId: true, name: true, updatedAt: true },
    orderBy: [{ environmentId: 'asc' }, { name: 'asc' }],
  })
  return inOrderOf(environmentIds, rows, (row) => row.environmentId)
}

/**
 * Decrypts and returns the value of one variable. Requires `project:read-values`.
 * @param input `environmentId`, `name`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such variable), and the errors of `requireEnvironment`
 */
export async function readVariable(actor: Actor, input: unknown): Promise<string> {
  const { environmentId, name } = parseInput(variableInput, input)
  const { environment } = await requireEnvironment(actor, 'project:read-values', environmentId)
  const variable = await prisma().variable.findFirst({
    where: { environmentId: environment.id, name: storedName(name) },
    select: { sealedValue: true },
  })
  if (!variable) throw unknownVariable(name)
  return unseal(variable.sealedValue, 'variable')
}
