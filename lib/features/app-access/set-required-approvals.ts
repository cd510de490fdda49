import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { type SensitiveAction, workspaceActions } from '@/lib/policy/approvals'
import { holdWorkspace, lockWorkspace } from '@/lib/policy/hold'
import type { WorkspaceRow } from '@/lib/policy/require'
import { requireDecider } from './require-decider'

const names = workspaceActions as [SensitiveAction, ...SensitiveAction[]]

const requiredApprovalsInput = z.object({
  requiresApprovalFor: z
    .union([z.string().transform((text) => text.split(/\s+/).filter(Boolean)), z.array(z.string())])
    .pipe(z.array(z.enum(names, { error: 'Choose from the list.' }))),
})

/**
 * Sets the actions for which apps need the user's approval in a workspace, from their next request on.
 * @param input `requiresApprovalFor`: a list, or names separated by spaces; empty for none
 * @throws AppError BAD_USER_INPUT, and as `requireDecider`
 */
export async function setRequiredApprovals(
  actor: Actor,
  workspaceId: string,
  input: unknown,
): Promise<WorkspaceRow> {
  const chosen = new Set(parseInput(requiredApprovalsInput, input).requiresApprovalFor)
  const requiresApprovalFor = names.filter((name) => chosen.has(name))
  const workspace = await requireDecider(actor, workspaceId)
  const { id } = workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { requiresApprovalFor } })
    await recordEvent(tx, actor, {
      action: 'workspace.required_approvals_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: workspace.requiresApprovalFor, to: requiresApprovalFor },
    })
  })
  return { ...workspace, requiresApprovalFor }
}
