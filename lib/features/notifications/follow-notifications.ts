import { prisma } from '@/lib/base/db/prisma'
import type { Feed } from '@/lib/base/live/follow'
import type { Notification } from '@/lib/generated/prisma/client'
import type { NotificationType } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { ofKinds } from './kind'
import { visibleNotifications } from './visible-notifications'

/**
 * The person's notifications, to be followed.
 * @param types only those about one of these
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, as reading does
 */
export function followNotifications(
  actor: Actor,
  types: readonly NotificationType[] | null | undefined,
): Feed<Actor, Notification> {
  authorizePersonal(actor, 'notifications')
  return {
    topic: `person:${actor.userId}`,
    allow: async (who) => authorizePersonal(who, 'notifications'),
    read: async (who, { from, without }, limit) =>
      prisma().notification.findMany({
        where: {
          AND: [
            await visibleNotifications(who),
            types ? ofKinds(types) : {},
            { id: { gte: from, notIn: without } },
          ],
        },
        orderBy: { id: 'asc' },
        take: limit,
      }),
  }
}
