import { MonitorSmartphone } from 'lucide-react'
import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { ListFrame } from '@/components/lists/list-frame'
import { describeDevice } from '@/components/sessions/describe-device'
import { SessionList } from '@/components/sessions/session-list'
import { config } from '@/lib/base/config/env'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { searchSessions } from '@/lib/features/identity/sessions/search-sessions'
import { revokeOtherSessionsAction, revokeSessionAction } from './actions'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/sessions')
  const { SESSION_DAYS, SESSION_IDLE_DAYS } = config()
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchSessions(actor, search, numberedPageOf(query))
  const sessions = page.rows.map(({ userAgent, ...session }) => ({
    ...session,
    device: describeDevice(userAgent),
  }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="max-w-[68ch] text-[13px] text-muted leading-5">
        If you don’t know one, sign it out and change your password. Each ends by itself {SESSION_DAYS} days
        after signing in, or after {SESSION_IDLE_DAYS} without use.
      </p>
      <ListFrame
        path="/account/sessions"
        noun={['session', 'sessions']}
        page={page}
        search={search}
        action={
          <ActionButton action={revokeOtherSessionsAction} done="Signed out everywhere else">
            Sign out everywhere else
          </ActionButton>
        }
        empty={{ icon: MonitorSmartphone, title: 'No sessions', text: 'You’re signed in nowhere.' }}
      >
        <SessionList sessions={sessions} revoke={revokeSessionAction} />
      </ListFrame>
    </div>
  )
}
