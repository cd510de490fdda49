import { recordEvent } from '@/lib/audit/record-event'
import { prisma } from '@/lib/db/prisma'
import { parseInput } from '@/lib/errors/parse-input'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, requireWorkspace } from '@/lib/policy/require'
import { createProjectInput } from './input'

/**
 * Creates a project in a workspace. Takes the role MEMBER there.
 * @param input `workspaceId`, `name`, `description`
 * @returns the project, with the person's role in its workspace
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`
 */
export async function createProject(actor: Actor, input: unknown): Promise<ProjectRow> {
  const { workspaceId, name, description } = parseInput(createProjectInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:create-project', workspaceId)
  return prisma().$transaction(async (tx) => {
    const project = await tx.project.create({ data: { workspaceId: workspace.id, name, description } })
    await recordEvent(tx, actor, {
      action: 'project.created',
      resource: { type: 'project', id: project.id },
      workspaceId: workspace.id,
      details: { name },
    })
    return { ...project, workspaceRole: workspace.role, projectRole: null }
  })
}
