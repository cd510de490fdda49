import { Bell } from 'lucide-react'
import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { notificationHref } from '@/components/notifications/notification-href'
import { NotificationList } from '@/components/notifications/notification-list'
import { RulesForm } from '@/components/notifications/rules-form'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listNotifications } from '@/lib/features/notifications/list-notifications'
import { listRulesByWorkspace } from '@/lib/features/notifications/list-rules-by-workspace'
import { slugsOfWorkspaces } from '@/lib/features/workspaces/list-opened-workspaces'
import { markAllReadAction, markReadAction, setRulesAction } from './actions'

export const metadata: Metadata = { title: 'Notifications' }

const path = '/account/notifications'

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession(path)
  const [{ rows, ...sides }, rules] = await Promise.all([
    listNotifications(actor, { unreadOnly: false }, pageOf(await searchParams)),
    listRulesByWorkspace(actor),
  ])
  const hrefs = pageHrefs(path, {}, rows, sides)
  const slugs = await slugsOfWorkspaces(
    actor,
    rows.flatMap(({ workspaceId }) => workspaceId ?? []),
  )
  const notifications = rows.map((row) => ({
    ...row,
    href: notificationHref(row, slugs.get(row.workspaceId ?? '')),
    read: row.readAt !== null,
  }))
  const all = (
    <ActionButton action={markAllReadAction} done="All marked as read">
      Mark all as read
    </ActionButton>
  )
  return (
    <Stack>
      <Section title="Notifications" action={rows.length > 0 ? all : undefined} flush>
        {rows.length === 0 ? (
          <EmptyState icon={Bell} title="No notifications yet">
            You are told when an app gets access, when someone joins a workspace of yours, and before a token
            expires.
          </EmptyState>
        ) : (
          <NotificationList notifications={notifications} markRead={markReadAction} />
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of notifications" />}
      {rules.length > 0 && (
        <Section
          title="Rules"
          description="What you are told about the workspaces you administer. What concerns your own account is always told."
          flush
        >
          {rules.map((rule) => (
            <RulesForm key={rule.workspace.id} {...rule} action={setRulesAction} />
          ))}
        </Section>
      )}
    </Stack>
  )
}
