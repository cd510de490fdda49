import { inOrderOf } from '@/lib/base/db/in-order-of'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { refusedEnvironment } from '@/lib/policy/authorize'
import { requireProject } from '@/lib/policy/require'

/** A variable as lists show it: without its value, sealed or not. */
export type VariableName = { id: string; environmentId: string; name: string; updatedAt: Date }

/**
 * The names of the variables in several environments of one project, in alphabetical order. One statement for all of them.
 * @returns for each environment, in order, its variables; none for an environment of another project
 * @throws AppError as `authorizeProject`
 */
export async function listVariableNames(
  actor: Actor,
  projectId: string,
  environmentIds: readonly string[],
): Promise<VariableName[][]> {
  const project = await requireProject(actor, 'project:read', projectId)
  const rows = await prisma().variable.findMany({
    where: {
      environmentId: { in: environmentIds.filter((id) => !refusedEnvironment(actor, id)) },
      environment: { projectId: project.id },
    },
    select: { id: true, environmentId: true, name: true, updatedAt: true },
    orderBy: [{ environmentId: 'asc' }, { name: 'asc' }],
  })
  return inOrderOf(environmentIds, rows, (row) => row.environmentId)
}
