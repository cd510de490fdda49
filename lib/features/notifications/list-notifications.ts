import { cutPage, keysetQuery, type Page, type Slice } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Notification } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { visibleNotifications } from './visible-notifications'

/**
 * One page of the person's notifications, the latest first.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function listNotifications(
  actor: Actor,
  filter: { unreadOnly: boolean },
  page: Page,
): Promise<Slice<Notification>> {
  authorizePersonal(actor, 'notifications')
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const rows = await prisma().notification.findMany({
    where: {
      ...(await visibleNotifications(actor)),
      id: bounds,
      ...(filter.unreadOnly ? { readAt: null } : {}),
    },
    ...window,
  })
  return cutPage(page, rows)
}

/** How many of the notifications an actor sees are unread. @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN */
export async function countUnread(actor: Actor): Promise<number> {
  authorizePersonal(actor, 'notifications')
  return prisma().notification.count({ where: { ...(await visibleNotifications(actor)), readAt: null } })
}
