import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { workspacesWith } from '@/lib/policy/visible'
import { ruledTypes } from './input'
import type { Rule } from './rules'

/** A workspace the person administers, and how they are told about it. */
export type WorkspaceRules = { workspace: { id: string; name: string }; rules: Rule[] }

/**
 * The person's rules, defaults included, for every workspace whose events they are told about: those they are an admin
 * of, and may enter. One query.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function listRulesByWorkspace(actor: Actor): Promise<WorkspaceRules[]> {
  authorizePersonal(actor, 'notifications')
  const workspaces = await prisma().workspace.findMany({
    where: workspacesWith(actor, 'workspace:manage-members'),
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, notificationRules: { where: { userId: actor.userId } } },
  })
  return workspaces.map(({ notificationRules, ...workspace }) => ({
    workspace,
    rules: ruledTypes.map((type) => {
      const rule = notificationRules.find((each) => each.type === type)
      return { type, inApp: rule?.inApp ?? true, email: rule?.email ?? false }
    }),
  }))
}
