import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { ChoiceFilter } from '@/components/lists/filters'
import { ListFrame } from '@/components/lists/list-frame'
import { NotificationList, notificationHref } from '@/components/notifications/notification-list'
import { Bell } from '@/components/ui/icon'
import { TextLink } from '@/components/ui/link'
import { numberedPageOf, oneOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { searchNotifications } from '@/lib/features/notifications/read-notifications'
import { slugsOfWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { markAllReadAction, markReadAction } from './actions'

export const metadata: Metadata = { title: 'Notifications' }

const path = '/account/notifications'

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession(path)
  const query = await searchParams
  const [search, show] = [searchOf(query), oneOf(query, 'show', ['unread'])]
  const page = await searchNotifications(actor, search, show === 'unread', numberedPageOf(query))
  const slugs = await slugsOfWorkspaces(
    actor,
    page.rows.flatMap(({ workspaceId }) => workspaceId ?? []),
  )
  const notifications = page.rows.map((row) => ({
    ...row,
    href: notificationHref(row, slugs.get(row.workspaceId ?? '')),
    read: row.readAt !== null,
  }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-[13px] text-muted leading-5">
        Choose your notifications in <TextLink href={`${path}/rules`}>Notification settings</TextLink>.
      </p>
      <ListFrame
        path={path}
        noun={['notification', 'notifications']}
        page={page}
        search={search}
        kept={{ show: show ?? '' }}
        filters={
          <ChoiceFilter
            path={path}
            name="show"
            choices={{ unread: 'Unread' }}
            value={show}
            kept={{ search }}
          />
        }
        action={
          <ActionButton action={markAllReadAction} done="All marked as read">
            Mark all as read
          </ActionButton>
        }
        empty={{
          icon: Bell,
          title: 'No notifications yet',
          text: 'You’ll be notified when an app gets access, when someone joins your workspace, and before a token expires.',
        }}
      >
        <NotificationList notifications={notifications} markRead={markReadAction} />
      </ListFrame>
    </div>
  )
}
