import { prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { requireProject } from '@/lib/policy/require'

/**
 * Deletes a project with all that is in it. Takes `project:delete`.
 * @throws AppError as `authorizeProject`
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  const project = await requireProject(actor, 'project:delete', id)
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.project.deleteMany({ where: { id: project.id } })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action: 'project.deleted',
      resource: { type: 'project', id: project.id },
      workspaceId: project.workspaceId,
      details: { name: project.name },
    })
  })
}
