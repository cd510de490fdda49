import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { pagesByParent } from '@/lib/base/db/lists'
import { type CountedSlice, cutPage, firstIdAt, keysetQuery, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { parseInput, startBeforeEnd } from '@/lib/base/errors/input'
import type { Feed } from '@/lib/base/live/follow'
import type { AuditEvent, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { unknownAction, unknownResourceType } from './recorded-actions'
import { formerNamesUnder, storedNamesOf } from './renamed-actions'

const text = z
  .string()
  .max(200)
  .regex(/^\P{C}*$/u)
  .nullish()

/** A text that must be a known name. Default: all. */
const named = (problemOf: (name: string) => string | undefined) =>
  text.superRefine((name, context) => {
    const problem = name ? problemOf(name) : undefined
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Which events of an audit log to read. Default: all. */
export const auditFilter = z
  .object({
    /** An action such as `project.created`, or a kind such as `project`. */
    action: named(unknownAction),
    userId: text,
    resourceType: named(unknownResourceType),
    resourceId: text,
    since: z.date().nullish(),
    until: z.date().nullish(),
  })
  .superRefine(startBeforeEnd)

/** @param action a whole action, or a kind */
const actionMatching = (action: string): Prisma.AuditEventWhereInput =>
  action.includes('.')
    ? { action: { in: storedNamesOf(action) } }
    : { OR: [{ action: { startsWith: `${action}.` } }, { action: { in: formerNamesUnder(`${action}.`) } }] }

/** Returns the condition for a filter, without the time. */
export const eventsMatching = ({
  action,
  userId,
  resourceType,
  resourceId,
}: z.output<typeof auditFilter>): Prisma.AuditEventWhereInput => ({
  ...(action ? actionMatching(action) : {}),
  // An invalid ID matches no user, and the column would reject it.
  userId: userId ? (isId(userId) ? userId : { in: [] }) : undefined,
  resourceType: resourceType ?? undefined,
  resourceId: resourceId ?? undefined,
})

/**
 * Returns one page of a workspace's audit log, latest first. Requires `workspace:read-audit`.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT, and as `authorizeWorkspace`
 */
export async function listEvents(
  actor: Actor,
  workspaceId: string,
  filter: unknown,
  page: Page,
): Promise<CountedSlice<AuditEvent>> {
  const wanted = parseInput(auditFilter, filter)
  const workspace = await requireWorkspace(actor, 'workspace:read-audit', workspaceId)
  const { since, until } = wanted
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const where = {
    workspaceId: workspace.id,
    AND: [
      { id: { gte: since ? firstIdAt(since) : undefined, lt: until ? firstIdAt(until) : undefined } },
      eventsMatching(wanted),
    ],
  }
  const rows = await prisma().auditEvent.findMany({ where: { AND: [where, { id: bounds }] }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().auditEvent.count({ where }) }
}

/**
 * Returns the audit logs of several workspaces, latest first. The caller has required `workspace:read-audit`
 * on each.
 */
export const eventsOf = pagesByParent(
  'events-of',
  { table: 'audit_events', parent: 'workspace_id', order: 'desc' },
  (ids) => prisma().auditEvent.findMany({ where: { id: { in: ids } } }),
)

/**
 * Returns a feed of a workspace's audit log. It requires `workspace:read-audit`, and throws as
 * `authorizeWorkspace`.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT
 */
export function followEvents(workspaceId: string, filter: unknown): Feed<Actor, AuditEvent> {
  const wanted = parseInput(auditFilter, filter)
  const { since, until } = wanted
  return {
    topic: `workspace:${workspaceId}`,
    allow: (actor) => requireWorkspace(actor, 'workspace:read-audit', workspaceId),
    read: (_actor, { from, without }, limit) =>
      prisma().auditEvent.findMany({
        where: {
          workspaceId,
          createdAt: { gte: since ?? undefined, lt: until ?? undefined },
          AND: [{ id: { gte: from, notIn: without } }, eventsMatching(wanted)],
        },
        orderBy: { id: 'asc' },
        take: limit,
      }),
  }
}

/** The longest duration of one run. The next run removes the rest. */
const longestMs = 10 * 60_000

/**
 * Deletes events older than AUDIT_DAYS, and the names of workspaces that were deleted before; does nothing if
 * it is not set. IDs begin with their time, so the primary key finds the oldest events. See ADR 0043.
 * @param now in milliseconds, for tests
 * @returns how many events were deleted
 */
export async function forgetEvents(now = Date.now()): Promise<number> {
  const { AUDIT_DAYS } = config()
  if (AUDIT_DAYS === undefined) return 0
  const since = new Date(now - AUDIT_DAYS * 86_400_000)
  const old = { table: 'audit_events', key: 'id', where: `id < '${firstIdAt(since)}'` }
  const removed = await withLongTimeout((db) => deleteInBatches(old, performance.now() + longestMs, db))
  await prisma().deletedWorkspace.deleteMany({ where: { deletedAt: { lt: since } } })
  return removed
}
