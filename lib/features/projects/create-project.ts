import { z } from 'zod'
import { requireBelowLimit } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { nameInput } from '@/lib/base/errors/names'
import { recordEvent } from '@/lib/features/audit/record-event'
import { listWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import type { Actor } from '@/lib/policy/actor'
import { type ProjectRow, requireProject, requireWorkspace } from '@/lib/policy/require'

const name = nameInput()

const description = z.string().trim().max(2000, 'Use at most 2,000 characters.')

const createProjectInput = z.object({
  workspaceId: z.string().nullish(),
  name,
  description: description.nullish().transform((value) => value ?? ''),
})

/** The input for moving a project to another workspace. */
export const transferProjectInput = z.object({ projectId: z.string(), workspaceId: z.string() })

/** The changes to a project. Omitted and null fields are unchanged. */
const updateProjectInput = z
  .object({ name: name.nullish(), description: description.nullish() })
  .transform((input) => ({ name: input.name ?? undefined, description: input.description ?? undefined }))

/** The maximum number of projects in a workspace. */
export const maxProjects = 1_000

/**
 * Checks that a workspace has fewer than the maximum number of projects. Locks the workspace until the
 * transaction ends, so that concurrent requests cannot exceed the maximum.
 * @throws AppError CONFLICT if the workspace already has the maximum number
 */
export function requireProjectRoom(tx: Db, workspaceId: string): Promise<void> {
  const room = {
    of: { table: 'workspaces' as const, id: workspaceId },
    most: maxProjects,
    message: `A workspace can have up to ${maxProjects} projects. Delete one first, or use another workspace.`,
  }
  return requireBelowLimit(tx, room, () => tx.project.count({ where: { workspaceId } }))
}

/**
 * Creates a project in a workspace. Requires `workspace:create-project` in the workspace.
 * @param input `name`; optionally `description`, and `workspaceId`, which can be omitted if the actor can
 * access only one workspace
 * @returns the project, including the user's role in its workspace
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many projects), and the errors of `requireWorkspace`
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

/**
 * Returns the ID of the only workspace that the actor can access.
 * @throws AppError BAD_USER_INPUT if there is not exactly one, and the errors of `listWorkspaces`
 */
async function onlyWorkspace(actor: Actor): Promise<string> {
  const [only, ...others] = await listWorkspaces(actor)
  if (only && others.length === 0) return only.id
  throw badInput('workspaceId', 'Pass the ID of the project’s workspace.')
}

/**
 * Changes the name or the description of a project, or both. Requires `project:update`.
 * @param input `name`, `description`; omitted and null fields are unchanged
 * @returns the updated project
 * @throws AppError BAD_USER_INPUT, NOT_FOUND (the project was deleted concurrently), and the errors of
 * `requireProject`
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
