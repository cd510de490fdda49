import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { pagesByParent } from '@/lib/base/db/lists'
import { type CountedSlice, cutPage, firstIdAt, keysetQuery, type Page } from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { beginsBeforeItEnds, parseInput } from '@/lib/base/errors/input'
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

/** A text that names one of what there is; nothing named is all of it. */
const named = (problemOf: (name: string) => string | undefined) =>
  text.superRefine((name, context) => {
    const problem = name ? problemOf(name) : undefined
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Which events of an audit log to read; all of them where nothing is said. */
export const auditFilter = z
  .object({
    /** A whole action such as `project.created`, or a kind such as `project`. */
    action: named(unknownAction),
    userId: text,
    resourceType: named(unknownResourceType),
    resourceId: text,
    since: z.date().nullish(),
    until: z.date().nullish(),
  })
  .superRefine(beginsBeforeItEnds)

/** @param action a whole action, or a kind */
const actionMatching = (action: string): Prisma.AuditEventWhereInput =>
  action.includes('.')
    ? { action: { in: storedNamesOf(action) } }
    : { OR: [{ action: { startsWith: `${action}.` } }, { action: { in: formerNamesUnder(`${action}.`) } }] }

/** The condition that a filter stands for, apart from the time. */
export const eventsMatching = ({
  action,
  userId,
  resourceType,
  resourceId,
}: z.output<typeof auditFilter>): Prisma.AuditEventWhereInput => ({
  ...(action ? actionMatching(action) : {}),
  // What is no id names nobody; the column would not even take the question.
  userId: userId ? (isId(userId) ? userId : { in: [] }) : undefined,
  resourceType: resourceType ?? undefined,
  resourceId: resourceId ?? undefined,
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

/** The audit logs of several workspaces, the latest first. The caller has required `workspace:read-audit` on each. */
export const eventsOf = pagesByParent(
  'events-of',
  { table: 'audit_events', parent: 'workspace_id', order: 'desc' },
  (ids) => prisma().auditEvent.findMany({ where: { id: { in: ids } } }),
)

/**
 * A workspace's audit log, to be followed. It takes `workspace:read-audit`, and refuses as `authorizeWorkspace`.
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

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 10 * 60_000

/**
 * Removes what the audit logs have kept for longer than AUDIT_DAYS, and the names of workspaces that went before; nothing
 * where that is not set. Ids begin with their time, so the primary key leads to the oldest, however many there are.
 * See ADR 0054.
 * @param now in milliseconds, for tests
 * @returns how many events went
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
