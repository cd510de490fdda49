import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { workspacesWith } from '@/lib/policy/visible'
import { ruledTypes } from './input'
import type { Rule } from './rules'

/** A workspace the person administers, and how they are told about it. */
export type WorkspaceRules = { workspace: { id: string; name: string }; rules: Rule[] }

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * The person's rules, defaults included, for one page of the workspaces whose events they are told about and whose names hold
 * a text: those they are an admin of, and may enter. In natural order, two queries.
 * @param text anything; empty for all of them
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
    rules: ruledTypes.map((type) => {
      const rule = set.find((each) => each.workspaceId === workspace.id && each.type === type)
      return { type, inApp: rule?.inApp ?? true, email: rule?.email ?? false }
    }),
  }))
  return { ...counted, rows }
}
