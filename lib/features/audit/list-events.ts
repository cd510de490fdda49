import { z } from 'zod'
import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/parse-input'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { isId, requireWorkspace } from '@/lib/policy/require'

const text = z
  .string()
  .max(200)
  .regex(/^\P{C}*$/u)
  .nullish()

/** Which events of an audit log to read; all of them where nothing is said. */
const auditFilter = z.object({
  /** A whole action such as `project.created`, or a kind such as `project`. */
  action: text,
  userId: text,
  resourceType: text,
  resourceId: text,
  since: z.date().nullish(),
  until: z.date().nullish(),
})

/**
 * One page of a workspace's audit log, the latest first. Takes `workspace:read-audit`.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`
 */
export async function listEvents(
  actor: Actor,
  workspaceId: string,
  filter: unknown,
  page: Page,
): Promise<Slice<AuditEvent>> {
  const { action, userId, resourceType, resourceId, since, until } = parseInput(auditFilter, filter)
  const workspace = await requireWorkspace(actor, 'workspace:read-audit', workspaceId)
  if (userId && !isId(userId)) return { rows: [], hasNextPage: false, hasPreviousPage: false }
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().auditEvent.findMany({
    where: {
      workspaceId: workspace.id,
      id: bounds,
      action: action ? (action.includes('.') ? action : { startsWith: `${action}.` }) : undefined,
      userId: userId ?? undefined,
      resourceType: resourceType ?? undefined,
      resourceId: resourceId ?? undefined,
      createdAt: { gte: since ?? undefined, lt: until ?? undefined },
    },
    ...window,
  })
  return cutPage(page, rows)
}
