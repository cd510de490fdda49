import { seal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Environment, VariableAction } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import type { ProjectRow } from '@/lib/policy/require'
import { requireEnvironment } from './environments'
import {
  setVariableInput,
  setVariablesInput,
  storedName,
  unknownVariable,
  type VariableRow,
  variableInput,
} from './read-variables'

/**
 * Increments the revision of an environment's variables. This update locks the environment until the
 * transaction ends, so other changes to its variables wait. The number of variables that the caller counts
 * therefore stays correct. See ADR 0013.
 * @param expected the revision that the caller expects. If it is omitted or null, any revision is accepted.
 * @returns the new revision
 * @throws AppError NOT_FOUND (the environment was deleted), CONFLICT on `expectedRevision` (the variables
 * changed in the meantime)
 */
async function nextRevision(tx: Db, environmentId: string, expected?: number | null): Promise<number> {
  const [row] = await tx.$queryRaw<{ revision: number }[]>`
    UPDATE environments SET revision = revision + 1 WHERE id = ${environmentId}::uuid RETURNING revision`
  if (!row) throw new AppError('NOT_FOUND')
  if (expected != null && row.revision !== expected + 1) {
    throw new AppError(
      'CONFLICT',
      `The variables changed: the revision is ${row.revision - 1}, not ${expected}. Read them again.`,
      { field: 'expectedRevision' },
    )
  }
  return row.revision
}

/** The maximum number of variables in an environment. */
const maxVariables = 500

/**
 * Creates or updates a variable, and adds the change to the history. The value is encrypted before it is
 * stored. Requires `project:write-variables`.
 * @param input `environmentId`, `name`, `value`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many variables), and the errors of `requireEnvironment`
 */
export async function setVariable(actor: Actor, input: unknown): Promise<VariableRow> {
  const { environmentId, name, value } = parseInput(setVariableInput, input)
  const { environment, project } = await requireEnvironment(actor, 'project:write-variables', environmentId)
  const sealedValue = Uint8Array.from(seal(value, 'variable'))
  return prisma().$transaction(async (tx) => {
    await nextRevision(tx, environment.id)
    const key = { environmentId_name: { environmentId: environment.id, name } }
    const before = await tx.variable.findUnique({ where: key, select: { id: true } })
    if (!before && (await tx.variable.count({ where: { environmentId: environment.id } })) >= maxVariables) {
      throw new AppError(
        'CONFLICT',
        `An environment can have up to ${maxVariables} variables. Delete some first.`,
      )
    }
    const variable = await tx.variable.upsert({
      where: key,
      create: { environmentId: environment.id, name, sealedValue },
      update: { sealedValue },
    })
    await tx.variableChange.create({
      data: { environmentId: environment.id, name, action: before ? 'UPDATED' : 'CREATED', ...author(actor) },
    })
    await recordEvent(tx, actor, {
      action: before ? 'variable.updated' : 'variable.created',
      resource: { type: 'variable', id: variable.id },
      workspaceId: project.workspaceId,
      details: { projectId: project.id, environmentId: environment.id, name },
    })
    return { ...variable, project }
  })
}

/**
 * Deletes a variable, and adds the change to the history. Requires `project:write-variables`.
 * @param input `environmentId`, `name`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (no such variable), and the errors of `requireEnvironment`
 */
export async function deleteVariable(actor: Actor, input: unknown): Promise<void> {
  const { environmentId, name } = parseInput(variableInput, input)
  const { environment, project } = await requireEnvironment(actor, 'project:write-variables', environmentId)
  await prisma().$transaction(async (tx) => {
    await nextRevision(tx, environment.id)
    const variable = await tx.variable.findFirst({
      where: { environmentId: environment.id, name: storedName(name) },
      select: { id: true },
    })
    if (!variable) throw unknownVariable(name)
    await tx.variable.deleteMany({ where: { id: variable.id } })
    await tx.variableChange.create({
      data: { environmentId: environment.id, name, action: 'DELETED', ...author(actor) },
    })
    await recordEvent(tx, actor, {
      action: 'variable.deleted',
      resource: { type: 'variable', id: variable.id },
      workspaceId: project.workspaceId,
      details: { projectId: project.id, environmentId: environment.id, name },
    })
  })
}

/** Returns the columns that record the author of a change in the history. */
const author = (actor: Actor) => ({
  userId: actor.userId,
  actorKind: actor.kind,
  actorId: actorHandle(actor) ?? null,
})

/**
 * The result of `setVariables`: the environment with its new revision, the written variables, and the names
 * of the deleted variables.
 */
export type VariablesSet = { environment: Environment; variables: VariableRow[]; deleted: string[] }

/**
 * Creates or updates several variables in one transaction, so that either all or none change, and adds the
 * changes to the history. The values are encrypted before they are stored. Requires
 * `project:write-variables`.
 * @param input `environmentId`; `variables`, each with `name` and `value`; `replace`, which deletes all other
 * variables if true; `expectedRevision`, which makes the call fail if the variables have changed since this
 * revision
 * @throws AppError BAD_USER_INPUT, CONFLICT (concurrent change, or too many variables), and the errors of
 * `requireEnvironment`
 */
export async function setVariables(actor: Actor, input: unknown): Promise<VariablesSet> {
  const { environmentId, variables, replace, expectedRevision } = parseInput(setVariablesInput, input)
  const { environment, project } = await requireEnvironment(actor, 'project:write-variables', environmentId)
  const sealed = variables.map(({ name, value }) => ({
    environmentId: environment.id,
    name,
    sealedValue: Uint8Array.from(seal(value, 'variable')),
  }))
  const names = sealed.map(({ name }) => name)
  return prisma().$transaction(async (tx) => {
    const revision = await nextRevision(tx, environment.id, expectedRevision)
    const before = await tx.variable.findMany({
      where: { environmentId: environment.id },
      select: { id: true, name: true },
    })
    const known = new Set(before.map(({ name }) => name))
    const others = before.filter(({ name }) => !names.includes(name))
    if (names.length + (replace ? 0 : others.length) > maxVariables) {
      throw new AppError(
        'CONFLICT',
        `An environment can have up to ${maxVariables} variables. Delete some first.`,
      )
    }
    const gone = replace ? others : []
    await tx.variable.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } })
    await tx.variable.createMany({ data: sealed.filter(({ name }) => !known.has(name)) })
    for (const { name, sealedValue } of sealed.filter((each) => known.has(each.name))) {
      await tx.variable.updateMany({
        where: { environmentId: environment.id, name },
        data: { sealedValue },
      })
    }
    const rows = await tx.variable.findMany({ where: { environmentId: environment.id, name: { in: names } } })
    const changes = [
      ...rows.map(({ id, name }) => ({ id, name, action: known.has(name) ? 'UPDATED' : 'CREATED' }) as const),
      ...gone.map(({ id, name }) => ({ id, name, action: 'DELETED' }) as const),
    ]
    await recordChanges(tx, actor, { environment, project }, changes)
    const byName = new Map(rows.map((row) => [row.name, row]))
    return {
      environment: { ...environment, revision },
      variables: names.flatMap((name) => ({ ...(byName.get(name) as (typeof rows)[number]), project })),
      deleted: gone.map(({ name }) => name),
    }
  })
}

type Change = { id: string; name: string; action: VariableAction }

async function recordChanges(
  tx: Db,
  actor: Actor,
  { environment, project }: { environment: Environment; project: ProjectRow },
  changes: readonly Change[],
): Promise<void> {
  const environmentId = environment.id
  await tx.variableChange.createMany({
    data: changes.map(({ name, action }) => ({ environmentId, name, action, ...author(actor) })),
  })
  for (const { id, name, action } of changes) {
    await recordEvent(tx, actor, {
      action: `variable.${action.toLowerCase()}`,
      resource: { type: 'variable', id },
      workspaceId: project.workspaceId,
      details: { projectId: project.id, environmentId, name },
    })
  }
}
