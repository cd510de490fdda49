import { prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, requireWorkspace } from '@/lib/policy/require'
import { createProjectInput } from './input'
import { requireProjectRoom } from './project-room'

/**
 * Creates a project in a workspace. Takes `workspace:create-project` there.
 * @param input `workspaceId` (the one the actor reaches, unless given), `name`, `description`
 * @returns the project, with the person's role in its workspace
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many), and as `authorizeWorkspace`
 */
export async function createProject(actor: Actor, input: unknown): Promise<ProjectRow> {
  const { workspaceId, name, description } = parseInput(createProjectInput, input)
  const chosen = workspaceId ?? (await onlyWorkspace(actor))
  const workspace = await requireWorkspace(actor, 'workspace:create-project', chosen)
  return prisma().$transaction(async (tx) => {
    await requireProjectRoom(tx, workspace.id)
    const project = await tx.project.create({ data: { workspaceId: workspace.id, name, description } })
    await recordEvent(tx, actor, {
      action: 'project.created',
      resource: { type: 'project', id: project.id },
      workspaceId: workspace.id,
      details: { name },
    })
    const { role: workspaceRole, appPolicy, appDecision, requiresApprovalFor } = workspace
    return { ...project, workspaceRole, projectRole: null, appPolicy, appDecision, requiresApprovalFor }
  })
}

/** @throws AppError BAD_USER_INPUT when there are several, or none */
async function onlyWorkspace(actor: Actor): Promise<string> {
  const [only, ...others] = await listWorkspaces(actor)
  if (only && others.length === 0) return only.id
  throw badInput('workspaceId', 'Say which workspace the project will belong to.')
}
