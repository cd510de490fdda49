import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Notification } from '@/lib/generated/prisma/client'
import type { NotificationType } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { ofKinds } from './kind'
import { visibleNotifications } from './visible-notifications'

/**
 * One page of the person's notifications, the latest first.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function listNotifications(
  actor: Actor,
  filter: { unreadOnly: boolean; types?: readonly NotificationType[] | null; workspaceId?: string | null },
  page: Page,
): Promise<CountedSlice<Notification>> {
  authorizePersonal(actor, 'notifications')
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const { unreadOnly, types, workspaceId } = filter
  const where = {
    AND: [
      await visibleNotifications(actor),
      unreadOnly ? { readAt: null } : {},
      types ? ofKinds(types) : {},
      workspaceId == null ? {} : { workspaceId: isId(workspaceId) ? workspaceId : { in: [] } },
    ],
  }
  const rows = await prisma().notification.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().notification.count({ where }) }
}

/** How many of the notifications an actor sees are unread. @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN */
export async function countUnread(actor: Actor): Promise<number> {
  authorizePersonal(actor, 'notifications')
  return prisma().notification.count({ where: { ...(await visibleNotifications(actor)), readAt: null } })
}
