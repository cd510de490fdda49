import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { holdWorkspace, lockWorkspace } from '@/lib/policy/hold'
import type { WorkspaceRow } from '@/lib/policy/require'
import { policyInput } from './input'
import { requireDecider } from './require-decider'

/**
 * Sets which apps a workspace lets in. What the new policy excludes is cut off at its next request; `previewPolicy` says
 * beforehand what that is.
 * @param input `policy`
 * @returns the workspace as it is then
 * @throws AppError BAD_USER_INPUT, and as `requireDecider`
 */
export async function setPolicy(actor: Actor, workspaceId: string, input: unknown): Promise<WorkspaceRow> {
  const { policy } = parseInput(policyInput, input)
  const workspace = await requireDecider(actor, workspaceId)
  const { id, appPolicy: before } = workspace
  if (before === policy) return workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { appPolicy: policy } })
    await recordEvent(tx, actor, {
      action: 'workspace.app_policy_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: before, to: policy },
    })
  })
  return { ...workspace, appPolicy: policy }
}
