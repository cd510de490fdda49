import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { TextLink } from '../ui/link'
import { Time } from '../ui/time'

/**
 * Returns the console page for a notification, or undefined if there is no page that the user can open.
 * @param slug the slug of the notification's workspace, if the user can open the workspace
 */
export function notificationHref(
  { type, workspaceId, resource }: { type: string; workspaceId: string | null; resource: unknown },
  slug: string | undefined,
): string | undefined {
  const about = resource as { type?: string; id?: string } | null
  if (about?.type === 'approval' || about?.type === 'ask') return `/approvals/${about.id}`
  if (type === 'TOKEN_EXPIRING' && about?.type !== 'oauth_app') return '/account/tokens'
  if (type === 'APP_REQUESTED' && !workspaceId) return '/admin/apps?state=waiting'
  if (!workspaceId) return '/account/apps'
  if (!slug) return undefined
  if (type === 'TOKEN_EXPIRING') return `/workspaces/${slug}/settings/developer/${about?.id}/credentials`
  if (about?.type === 'app_domain') return `/workspaces/${slug}/settings/developer/${about.id}`
  if (about?.type === 'sso_domain' || about?.type === 'company_domain')
    return `/workspaces/${slug}/settings/sso`
  if (about?.type === 'app_offer') return `/workspaces/${slug}/settings/developer`
  if (type === 'APP_REQUESTED') return `/workspaces/${slug}/settings/apps`
  return type === 'MEMBER_ADDED' ? `/workspaces/${slug}/members` : `/workspaces/${slug}`
}

export type ListedNotification = {
  id: string
  title: string
  body: string
  /** The page that the notification is about. Undefined if there is no page that the user can open. */
  href?: string | undefined
  createdAt: Date
  read: boolean
}

/**
 * Lists a user's notifications. Unread notifications have a text label and a button that marks them as read.
 */
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
