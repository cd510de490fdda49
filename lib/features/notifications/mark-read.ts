import { maxPageSize } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { Notification } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { visibleNotifications } from './visible-notifications'

/**
 * Marks one of the notifications an actor sees as read; a second time changes nothing.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, NOT_FOUND
 */
export async function markRead(actor: Actor, id: string): Promise<Notification> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  const found = isId(id)
    ? await prisma().notification.findFirst({ where: { id, ...(await visibleNotifications(actor)) } })
    : null
  if (!found) {
    throw new AppError('NOT_FOUND', 'There is no such notification.', {
      resource: { type: 'notification', id },
    })
  }
  if (found.readAt) return found
  return prisma().notification.update({ where: { id: found.id }, data: { readAt: new Date() } })
}

/**
 * Marks several of them as read; what is none that the actor sees is left out.
 * @param ids at most a page of them
 * @returns how many were not
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, BAD_USER_INPUT (too many)
 */
export async function markSeveralRead(actor: Actor, ids: readonly string[]): Promise<number> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  if (ids.length > maxPageSize) throw badInput('ids', `Name at most ${maxPageSize} at once.`)
  const { count } = await prisma().notification.updateMany({
    where: { AND: [await visibleNotifications(actor), { id: { in: ids.filter(isId) }, readAt: null }] },
    data: { readAt: new Date() },
  })
  return count
}

/** Marks all of them as read. @returns how many were not. @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN */
export async function markAllRead(actor: Actor): Promise<number> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  const { count } = await prisma().notification.updateMany({
    where: { ...(await visibleNotifications(actor)), readAt: null },
    data: { readAt: new Date() },
  })
  return count
}
