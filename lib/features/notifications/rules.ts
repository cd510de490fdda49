import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { requireWorkspace } from '@/lib/policy/require'
import { ruledTypes, ruleInput } from './input'

/** How the person is told about one kind of event of a workspace. */
export type Rule = { type: (typeof ruledTypes)[number]; inApp: boolean; email: boolean }

/**
 * The person's rules for a workspace, defaults included: in the app, not by mail.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, and as `authorizeWorkspace`
 */
export async function listRules(actor: Actor, workspaceId: string): Promise<Rule[]> {
  authorizePersonal(actor, 'notifications')
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  const rules = await prisma().notificationRule.findMany({
    where: { userId: actor.userId, workspaceId: workspace.id },
  })
  return ruledTypes.map((type) => {
    const rule = rules.find((each) => each.type === type)
    return { type, inApp: rule?.inApp ?? true, email: rule?.email ?? false }
  })
}

/**
 * Changes one of the person's rules for a workspace.
 * @param input `workspaceId`, `type`, `inApp`, `email`
 * @throws AppError BAD_USER_INPUT, INSUFFICIENT_SCOPE, FORBIDDEN, and as `authorizeWorkspace`
 */
export async function setRule(actor: Actor, input: unknown): Promise<Rule> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  const { workspaceId, type, inApp, email } = parseInput(ruleInput, input)
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  await prisma().notificationRule.upsert({
    where: { userId_workspaceId_type: { userId: actor.userId, workspaceId: workspace.id, type } },
    create: { userId: actor.userId, workspaceId: workspace.id, type, inApp, email },
    update: { inApp, email },
  })
  return { type, inApp, email }
}
