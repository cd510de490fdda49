import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { pagesByParent } from '@/lib/base/db/lists'
import { type CountedSlice, cutPage, firstIdAt, keysetQuery, type Page } from '@/lib/base/db/paging'
import { isId, prisma, storedId } from '@/lib/base/db/prisma'
import { parseInput, startBeforeEnd } from '@/lib/base/errors/input'
import type { Feed } from '@/lib/base/live/follow'
import type { AuditEvent, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { unknownAction, unknownResourceType } from './recorded-actions'
import { formerNamesUnder, storedNamesOf } from './renamed-actions'

const text = z
  .string()
  .max(200, { abort: true })
  .regex(/^\P{C}*$/u)
  .nullish()

/**
 * Returns the schema of an optional name. `problemOf` must return an error message for an unknown name, or
 * undefined for a known name.
 */
const named = (problemOf: (name: string) => string | undefined) =>
  text.superRefine((name, context) => {
    const problem = name ? problemOf(name) : undefined
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** The filter for audit events. An empty filter matches all events. */
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

/**
 * Returns the condition for an action, such as `project.created`, or for all actions of a kind, such as
 * `project`. The condition includes the former names of these actions.
 */
const actionMatching = (action: string): Prisma.AuditEventWhereInput =>
  action.includes('.')
    ? { action: { in: storedNamesOf(action) } }
    : { OR: [{ action: { startsWith: `${action}.` } }, { action: { in: formerNamesUnder(`${action}.`) } }] }

/** Returns the query condition for a filter, without the filter's start and end times. */
export const eventsMatching = ({
  action,
  userId,
  resourceType,
  resourceId,
}: z.output<typeof auditFilter>): Prisma.AuditEventWhereInput => ({
  ...(action ? actionMatching(action) : {}),
  // An invalid user ID must match no events. Do not compare it with the uuid column, because the query would
  // fail.
  userId: userId ? (isId(userId) ? userId : { in: [] }) : undefined,
  resourceType: resourceType ?? undefined,
  resourceId: resourceId ? storedId(resourceId) : undefined,
})

/**
 * Returns one page of a workspace's audit events that match a filter, latest first, and a function that
 * counts all matching events. Requires `workspace:read-audit`.
 * @param filter a filter as in `auditFilter`
 * @throws AppError BAD_USER_INPUT, or the errors of `requireWorkspace`
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
 * Reads one page of the audit log of each of several workspaces, latest event first, or counts the events of
 * each log. The caller must first check `workspace:read-audit` for each workspace.
 */
export const eventsOf = pagesByParent(
  'events-of',
  { table: 'audit_events', parent: 'workspace_id', order: 'desc' },
  (ids) => prisma().auditEvent.findMany({ where: { id: { in: ids } } }),
)

/**
 * Returns a feed of a workspace's audit events that match a filter. The feed's `allow` function requires
 * `workspace:read-audit` and throws the errors of `requireWorkspace`.
 * @param filter a filter as in `auditFilter`
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

/**
 * The time after which a cleanup run starts no further batch, in milliseconds. The next run deletes the
 * remaining events.
 */
const longestMs = 10 * 60_000

/**
 * Deletes events that are older than AUDIT_DAYS, and the names of workspaces that were deleted more than
 * AUDIT_DAYS ago. Does nothing if AUDIT_DAYS is not set. IDs start with the time of the event, so the oldest
 * events are found by primary key. See ADR 0043.
 * @param now the current time in milliseconds, for tests
 * @returns the number of deleted events
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
