import { prisma } from '@/lib/base/db/prisma'
import { requireRoom } from '@/lib/base/db/require-room'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, PersonActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import type { WorkspaceRow } from '@/lib/policy/require'
import { chooseSlug } from './choose-slug'
import { createWorkspaceInput } from './input'
import { newWorkspacePolicy } from './new-workspace-policy'

/** Workspaces that a person administers, when they make another. */
export const maxWorkspaces = 100

/**
 * Creates a workspace that the person administers.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many), FORBIDDEN for tokens that do not speak for the person
 */
export async function createWorkspace(actor: Actor, input: unknown): Promise<WorkspaceRow> {
  authorizeAccount(actor)
  const { name } = parseInput(createWorkspaceInput, input)
  for (let tries = 1; ; tries++) {
    try {
      return await write(actor, name)
    } catch (error) {
      if (!uniqueViolation(error) || tries === 3) throw error
    }
  }
}

const write = (actor: PersonActor, name: string) =>
  prisma().$transaction(async (tx) => {
    const room = {
      of: { table: 'users' as const, id: actor.userId },
      most: maxWorkspaces,
      message: `You administer ${maxWorkspaces} workspaces. Delete or leave one first.`,
    }
    await requireRoom(tx, room, () =>
      tx.workspaceMember.count({ where: { userId: actor.userId, role: 'ADMIN' } }),
    )
    const members = { create: { userId: actor.userId, role: 'ADMIN' as const } }
    const workspace = await tx.workspace.create({
      data: { name, slug: await chooseSlug(tx, name), appPolicy: newWorkspacePolicy(), members },
    })
    await recordEvent(tx, actor, {
      action: 'workspace.created',
      resource: { type: 'workspace', id: workspace.id },
      workspaceId: workspace.id,
      details: { name },
    })
    return { ...workspace, appDecision: null, role: 'ADMIN' as const }
  })
