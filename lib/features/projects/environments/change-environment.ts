import { prisma } from '@/lib/base/db/prisma'
import { requireRoom } from '@/lib/base/db/require-room'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Environment } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireProject } from '@/lib/policy/require'
import { createEnvironmentInput, updateEnvironmentInput } from './input'
import { requireEnvironment } from './require-environment'

/** Environments of a project. */
export const maxEnvironments = 100

/**
 * Creates an environment in a project. Takes `project:manage-environments`.
 * @param input `projectId`, `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT on `name` or because there are too many, and as `authorizeProject`
 */
export async function createEnvironment(actor: Actor, input: unknown): Promise<Environment> {
  const { projectId, name } = parseInput(createEnvironmentInput, input)
  const project = await requireProject(actor, 'project:manage-environments', projectId)
  return refuseTwins(
    prisma().$transaction(async (tx) => {
      const room = {
        of: { table: 'projects' as const, id: project.id },
        most: maxEnvironments,
        message: `The project has ${maxEnvironments} environments. Delete one first.`,
      }
      await requireRoom(tx, room, () => tx.environment.count({ where: { projectId: project.id } }))
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
 * Renames an environment. Takes `project:manage-environments`.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT on `name`, and as `authorizeProject`
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
 * Deletes an environment with its variables. Takes `project:delete`.
 * @throws AppError as `authorizeProject`
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
    const message = 'The project has an environment of this name already.'
    throw new AppError('CONFLICT', message, { field: 'name', fields: { name: message } })
  })
