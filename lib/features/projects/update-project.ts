import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, requireProject } from '@/lib/policy/require'
import { updateProjectInput } from './input'

/**
 * Renames or describes a project anew. Takes `project:update`.
 * @param input `name`, `description`; what is left out stays
 * @returns the project as it is now
 * @throws AppError BAD_USER_INPUT, and as `authorizeProject`
 */
export async function updateProject(actor: Actor, id: string, input: unknown): Promise<ProjectRow> {
  const changes = parseInput(updateProjectInput, input)
  const before = await requireProject(actor, 'project:update', id)
  return prisma().$transaction(async (tx) => {
    const [project] = await tx.project.updateManyAndReturn({ where: { id: before.id }, data: changes })
    if (!project) throw new AppError('NOT_FOUND')
    await recordEvent(tx, actor, {
      action: 'project.updated',
      resource: { type: 'project', id: project.id },
      workspaceId: project.workspaceId,
      details: { name: project.name, ...(project.name !== before.name && { from: before.name }) },
    })
    return { ...before, ...project }
  })
}
