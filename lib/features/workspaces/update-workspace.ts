import { prisma } from '@/lib/base/db/prisma'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace, type WorkspaceRow } from '@/lib/policy/require'
import { updateWorkspaceInput } from './input'

/**
 * Renames a workspace or changes its address. Takes `workspace:update`.
 * @param input `name`, `slug`; what is left out stays
 * @throws AppError BAD_USER_INPUT, CONFLICT on `slug` when it is taken, and as `authorizeWorkspace`
 */
export async function updateWorkspace(actor: Actor, id: string, input: unknown): Promise<WorkspaceRow> {
  const before = await requireWorkspace(actor, 'workspace:update', id)
  const changes = parseInput(updateWorkspaceInput(before), input)
  return prisma()
    .$transaction(async (tx) => {
      const workspace = await tx.workspace.update({ where: { id }, data: changes })
      await recordEvent(tx, actor, {
        action: 'workspace.updated',
        resource: { type: 'workspace', id },
        workspaceId: id,
        details: { ...changes, ...(workspace.name !== before.name && { from: before.name }) },
      })
      return { ...before, ...workspace }
    })
    .catch((error) => {
      if (!uniqueViolation(error)) throw error
      const message = 'This address is taken.'
      throw new AppError('CONFLICT', message, { field: 'slug', fields: { slug: message } })
    })
}
