import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  maxPageSize,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import type { Feed } from '@/lib/base/live/follow'
import type { Notification, Prisma } from '@/lib/generated/prisma/client'
import type { NotificationType } from '@/lib/generated/prisma/enums'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { authorizePersonal, userOf } from '@/lib/policy/authorize'
import { needsSelection } from '@/lib/policy/scopes'
import { lacksTwoFactor } from '@/lib/policy/two-factor'
import { visibleWorkspaces } from '@/lib/policy/visible'
import { ofKinds } from './notify'

/**
 * Returns the filter for the notifications that an actor can read. In the console, users can read all their
 * notifications. An app can read only notifications that belong to no workspace or to a workspace that is
 * shared with it. Therefore, the `notifications` scope does not reveal users in other workspaces. An API
 * token from a session without 2FA cannot read notifications from workspaces that require 2FA, even if the
 * user has left the workspace.
 */
export async function visibleNotifications(actor: Actor): Promise<Prisma.NotificationWhereInput> {
  const userId = userOf(actor)
  if (actor.kind === 'oauth') {
    const shared = needsSelection(actor.scopes, 'workspace') ? await idsOf(visibleWorkspaces(actor)) : []
    return { userId, OR: [{ workspaceId: null }, { workspaceId: { in: shared } }] }
  }
  if (actor.kind === 'session' || !lacksTwoFactor(actor)) return { userId }
  const groups = await prisma().notification.groupBy({ by: ['workspaceId'], where: { userId } })
  const ids = groups.flatMap(({ workspaceId }) => workspaceId ?? [])
  const closed = await idsOf({ requireTwoFactor: true, id: { in: ids } })
  return { userId, OR: [{ workspaceId: null }, { workspaceId: { notIn: closed } }] }
}

const idsOf = async (where: Prisma.WorkspaceWhereInput): Promise<string[]> =>
  (await prisma().workspace.findMany({ where, select: { id: true } })).map(({ id }) => id)

/**
 * Returns one page of the user's notifications that match a filter and that the actor can read, latest first.
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

/**
 * Returns the number of unread notifications that the actor can read.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function countUnread(actor: Actor): Promise<number> {
  authorizePersonal(actor, 'notifications')
  return prisma().notification.count({ where: { ...(await visibleNotifications(actor)), readAt: null } })
}

/** A notification for the list in the console. */
export type NotificationInList = Pick<
  Notification,
  'id' | 'workspaceId' | 'title' | 'body' | 'resource' | 'readAt' | 'createdAt'
> & {
  /** The notification's kind, even if only a later release supports it. */
  type: string
}

const find = statement<
  NotificationInList & { total: number },
  [userId: string, text: string, unreadOnly: boolean, limit: number, offset: number]
>(
  'search-notifications',
  `SELECT n.id, n.workspace_id AS "workspaceId", coalesce(n.kind, n.type::text) AS type, n.title, n.body, n.resource, n.read_at AS "readAt",
          n.created_at AS "createdAt", (count(*) OVER ())::int AS total
     FROM notifications n
    WHERE n.user_id = $1 AND (n.title ILIKE '%' || $2 || '%' OR n.body ILIKE '%' || $2 || '%')
      AND (NOT $3 OR n.read_at IS NULL)
    ORDER BY n.id DESC LIMIT $4 OFFSET $5`,
)

/**
 * Returns one page of the user's notifications whose title or body contains a text, latest first. If the
 * requested page is empty, returns the first page. Includes notifications from deleted workspaces, because
 * the console shows all notifications.
 * @param text any text; an empty text matches all
 * @param unreadOnly whether to return only unread notifications
 */
export const searchNotifications = (
  { userId }: SessionActor,
  text: string,
  unreadOnly: boolean,
  page: NumberedPage,
): Promise<NumberedRows<NotificationInList>> => {
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => find(userId, literal, unreadOnly, limit, offset))
}

/**
 * Returns a feed of the user's notifications that the actor can read.
 * @param types the types to include, or null or undefined for all types
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export function followNotifications(
  actor: Actor,
  types: readonly NotificationType[] | null | undefined,
): Feed<Actor, Notification> {
  authorizePersonal(actor, 'notifications')
  return {
    topic: `user:${actor.userId}`,
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

/**
 * Marks one notification as read. Does nothing if it is already read.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, NOT_FOUND
 */
export async function markRead(actor: Actor, id: string): Promise<Notification> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  const found = isId(id)
    ? await prisma().notification.findFirst({ where: { id, ...(await visibleNotifications(actor)) } })
    : null
  if (!found) {
    throw new AppError('NOT_FOUND', 'The notification was not found.', {
      resource: { type: 'notification', id },
    })
  }
  if (found.readAt) return found
  return prisma().notification.update({ where: { id: found.id }, data: { readAt: new Date() } })
}

/**
 * Marks several notifications as read. Ignores notifications that do not exist or that the actor cannot read.
 * @param ids the IDs of at most one page of notifications
 * @returns the number of notifications that were unread
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, BAD_USER_INPUT (too many IDs)
 */
export async function markSeveralRead(actor: Actor, ids: readonly string[]): Promise<number> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  if (ids.length > maxPageSize) throw badInput('ids', `Pass at most ${maxPageSize} IDs.`)
  const { count } = await prisma().notification.updateMany({
    where: { AND: [await visibleNotifications(actor), { id: { in: ids.filter(isId) }, readAt: null }] },
    data: { readAt: new Date() },
  })
  return count
}

/**
 * Marks all of the user's notifications as read, except those that the actor cannot read.
 * @returns the number of notifications that were unread
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function markAllRead(actor: Actor): Promise<number> {
  authorizePersonal(actor, 'notifications', 'MEMBER')
  const { count } = await prisma().notification.updateMany({
    where: { ...(await visibleNotifications(actor)), readAt: null },
    data: { readAt: new Date() },
  })
  return count
}
