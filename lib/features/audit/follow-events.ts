import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Feed } from '@/lib/base/live/follow'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { auditFilter, eventsMatching } from './list-events'

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
