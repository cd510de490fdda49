import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { type Actor, actorHandle } from '@/lib/policy/actor'
import { requireEnvironment } from '../environments/require-environment'
import { setVariableInput, variableInput } from './input'
import type { VariableRow } from './list-variables'
import { nextRevision } from './next-revision'
import { unknownVariable } from './unknown-variable'

/** An environment holds no more than this many. */
export const maxVariables = 500

/**
 * Writes a variable, new or not; its value is sealed before it is stored. Takes `project:write-variables`.
 * @param input `environmentId`, `name`, `value`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many variables), and as `authorizeProject`
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
      throw new AppError('CONFLICT', `An environment holds at most ${maxVariables} variables.`)
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
 * Deletes a variable. Takes `project:write-variables`.
 * @param input `environmentId`, `name`
 * @throws AppError NOT_FOUND, and as `authorizeProject`
 */
export async function deleteVariable(actor: Actor, input: unknown): Promise<void> {
  const { environmentId, name } = parseInput(variableInput, input)
  const { environment, project } = await requireEnvironment(actor, 'project:write-variables', environmentId)
  await prisma().$transaction(async (tx) => {
    await nextRevision(tx, environment.id)
    const variable = await tx.variable.findFirst({
      where: { environmentId: environment.id, name: name.replaceAll('\0', '') },
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

/** Who changed a variable, as its history keeps it. */
export const author = (actor: Actor) => ({
  userId: actor.userId,
  actorKind: actor.kind,
  actorId: actorHandle(actor) ?? null,
})
