import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'

export type ListedNotification = {
  id: string
  title: string
  body: string
  /** The page where something can be done about it. */
  href?: string | undefined
  createdAt: Date
  read: boolean
}

/** What a person was told, the unread marked in words. */
export function NotificationList({
  notifications,
  markRead,
}: {
  notifications: ListedNotification[]
  markRead: FormAction
}) {
  return (
    <ul aria-label="Notifications">
      {notifications.map(({ id, title, body, href, createdAt, read }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0"
        >
          <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
            <p className="flex flex-wrap items-center gap-2">
              <span className={read ? 'text-muted' : 'font-medium'}>{title}</span>
              {!read && <Badge tone="accent">Unread</Badge>}
            </p>
            <p className="max-w-[68ch] break-words text-muted">{body}</p>
            <p className="flex gap-3 text-[13px] text-muted">
              <Time at={createdAt} />
              {href && (
                <TextLink href={href}>
                  View<span className="sr-only"> {title}</span>
                </TextLink>
              )}
            </p>
          </div>
          {!read && (
            <ActionButton action={markRead} done="Marked as read" fields={{ id }} look={{ size: 'small' }}>
              Mark as read <span className="sr-only">{title}</span>
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
}
