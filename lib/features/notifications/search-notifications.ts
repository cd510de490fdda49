import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { Notification } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'

/** A notification as the console lists it. */
export type NotificationInList = Pick<
  Notification,
  'id' | 'workspaceId' | 'title' | 'body' | 'resource' | 'readAt' | 'createdAt'
> & {
  /** What it is about. */
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
 * One page of what the person was told that holds a text, the latest first. The console shows a person all of it, whatever
 * became of the workspace. One statement.
 * @param text anything; empty for all of it
 * @param unreadOnly what was not marked as read alone
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
