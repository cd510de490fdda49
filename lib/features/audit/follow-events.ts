import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/parse-input'
import type { Feed } from '@/lib/base/live/follow'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'
import { auditFilter, eventsMatching } from './list-events'

/**
 * A workspace's audit log, to be followed. Reading takes `workspace:read-audit`.
 * @param filter see `auditFilter`
 * @throws AppError BAD_USER_INPUT; reading throws as `authorizeWorkspace`
 */
export function followEvents(workspaceId: string, filter: unknown): Feed<Actor, AuditEvent> {
  const wanted = parseInput(auditFilter, filter)
  const { since, until } = wanted
  return {
    topic: `workspace:${workspaceId}`,
    read: async (actor, { from, without }, limit) => {
      const require = () => requireWorkspace(actor, 'workspace:read-audit', workspaceId)
      const { id } = await require()
      const rows = await prisma().auditEvent.findMany({
        where: {
          workspaceId: id,
          createdAt: { gte: since ?? undefined, lt: until ?? undefined },
          AND: [{ id: { gte: from, notIn: without } }, eventsMatching(wanted)],
        },
        orderBy: { id: 'asc' },
        take: limit,
      })
      // What was written after the rights went is not told, not even when they went between the two statements.
      if (rows.length > 0) await require()
      return rows
    },
  }
}
