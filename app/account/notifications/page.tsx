import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { ChoiceFilter } from '@/components/lists/filters'
import { ListFrame } from '@/components/lists/list-frame'
import { NotificationList, notificationHref } from '@/components/notifications/notification-list'
import { ButtonLink } from '@/components/ui/button-link'
import { Bell } from '@/components/ui/icon'
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
  const choose = <ButtonLink href={`${path}/rules`}>Notification settings</ButtonLink>
  return (
    <ListFrame
      path={path}
      noun={['notification', 'notifications']}
      page={page}
      search={search}
      kept={{ show: show ?? '' }}
      filters={
        <ChoiceFilter path={path} name="show" choices={{ unread: 'Unread' }} value={show} kept={{ search }} />
      }
      action={
        <div className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1 max-sm:[&_button]:w-full">
          {choose}
          <ActionButton action={markAllReadAction} done="All marked as read">
            Mark all as read
          </ActionButton>
        </div>
      }
      empty={{
        icon: Bell,
        title: 'No notifications yet',
        text: 'You’ll be notified when an app gets access, when someone joins your workspace, and before a token expires.',
        action: choose,
      }}
    >
      <NotificationList notifications={notifications} markRead={markReadAction} />
    </ListFrame>
  )
}
