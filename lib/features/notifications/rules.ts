import { z } from 'zod'
import { type NumberedPage, type NumberedRows, readNumbered, searchLiteral } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { requireWorkspace } from '@/lib/policy/require'
import { workspacesWith } from '@/lib/policy/visible'

/** The event types for which workspace admins can choose their notifications. */
export const typesWithRules = ['APP_AUTHORIZED', 'MEMBER_ADDED'] as const

/** The input for a rule: how a user is notified of one event type in a workspace. */
const ruleInput = z.object({
  workspaceId: z.string(),
  type: z.enum(typesWithRules, { error: 'You can set rules only for APP_AUTHORIZED and MEMBER_ADDED.' }),
  inApp: z.boolean(),
  email: z.boolean(),
})

/** A rule for how a user is notified of one event type in a workspace. */
export type Rule = { type: (typeof typesWithRules)[number]; inApp: boolean; email: boolean }

/**
 * Returns the user's rules for a workspace, one for each event type. The default rule is to notify in the
 * app, but not by email.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, and the errors of `requireWorkspace`
 */
export async function listRules(actor: Actor, workspaceId: string): Promise<Rule[]> {
  authorizePersonal(actor, 'notifications')
  const workspace = await requireWorkspace(actor, 'workspace:read', workspaceId)
  const rules = await prisma().notificationRule.findMany({
    where: { userId: actor.userId, workspaceId: workspace.id },
  })
  return typesWithRules.map((type) => {
    const rule = rules.find((each) => each.type === type)
    return { type, inApp: rule?.inApp ?? true, email: rule?.email ?? false }
  })
}

/**
 * Sets one of the user's rules for a workspace.
 * @param input `workspaceId`, `type`, `inApp`, `email`
 * @throws AppError BAD_USER_INPUT, INSUFFICIENT_SCOPE, FORBIDDEN, and the errors of `requireWorkspace`
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

/** A workspace that the user administers, with the user's rules for it. */
export type WorkspaceRules = { workspace: { id: string; name: string }; rules: Rule[] }

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Returns one page of the workspaces that the user administers and whose names contain a text, with the
 * user's rules for each workspace. Workspaces without stored rules have the default rules. The workspaces are
 * sorted by name in natural order. Omits workspaces that require two-factor authentication if the actor lacks
 * it. If the requested page is empty, returns the first page. Uses two queries.
 * @param text any text; an empty text matches all
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function searchRules(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<WorkspaceRules>> {
  authorizePersonal(actor, 'notifications')
  const workspaces = await prisma().workspace.findMany({
    where: {
      AND: [
        workspacesWith(actor, 'workspace:manage-members'),
        { name: { contains: searchLiteral(text), mode: 'insensitive' } },
      ],
    },
    select: { id: true, name: true },
  })
  workspaces.sort((one, other) => naturally.compare(one.name, other.name) || (one.id < other.id ? -1 : 1))
  const total = workspaces.length
  const { rows: onPage, ...counted } = await readNumbered(page, async (limit, offset) =>
    workspaces.slice(offset, offset + limit).map((workspace) => ({ ...workspace, total })),
  )
  const set = await prisma().notificationRule.findMany({
    where: { userId: actor.userId, workspaceId: { in: onPage.map(({ id }) => id) } },
  })
  const rows = onPage.map((workspace) => ({
    workspace,
    rules: typesWithRules.map((type) => {
      const rule = set.find((each) => each.workspaceId === workspace.id && each.type === type)
      return { type, inApp: rule?.inApp ?? true, email: rule?.email ?? false }
    }),
  }))
  return { ...counted, rows }
}
