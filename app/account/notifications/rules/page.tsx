import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { ListFrame } from '@/components/lists/list-frame'
import { RulesForm } from '@/components/notifications/rules-form'
import { BellRing } from '@/components/ui/icon'
import { ButtonLink } from '@/components/ui/link'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { searchRules } from '@/lib/features/notifications/rules'
import { setRulesAction } from '../actions'

export const metadata: Metadata = { title: 'Notification settings' }

const path = '/account/notifications/rules'

/** The page with the user's notification rules for the workspaces that the user administers. */
export default async function RulesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession(path)
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchRules(actor, search, numberedPageOf(query))
  return (
    <>
      <PageHeader
        title="Notification settings"
        trail={[{ label: 'Notifications', href: '/account/notifications' }]}
        description="Choose your notifications for each workspace you administer. You’re always notified about your own account."
      />
      <ListFrame
        path={path}
        noun={['workspace', 'workspaces']}
        page={page}
        search={search}
        empty={{
          icon: BellRing,
          title: 'No workspaces to configure',
          text: 'Workspace admins choose their notifications here.',
          action: <ButtonLink href="/workspaces/new">New workspace</ButtonLink>,
        }}
      >
        {page.rows.map((rule) => (
          <RulesForm key={rule.workspace.id} {...rule} action={setRulesAction} />
        ))}
      </ListFrame>
    </>
  )
}
