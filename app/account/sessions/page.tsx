import type { Metadata } from 'next'
import { SessionList, SignInList } from '@/components/account/session-list'
import { ActionButton } from '@/components/forms/action-button'
import { ListFrame } from '@/components/lists/list-frame'
import { Section } from '@/components/ui/card'
import { MonitorSmartphone } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { config } from '@/lib/base/config/env'
import { describeDevice } from '@/lib/base/http/visitor'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { listSignIns, searchSessions, signInDays } from '@/lib/features/identity/sessions/list-sessions'
import { revokeOtherSessionsAction, revokeSessionAction } from './actions'

export const metadata: Metadata = { title: 'Sessions' }

/** Replaces the `User-Agent` of a row with a readable description of the browser. */
const withDevice = <Row extends { userAgent: string | null }>({ userAgent, ...row }: Row) => ({
  ...row,
  device: describeDevice(userAgent),
})

export default async function SessionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/sessions')
  const { sessionDays } = config()
  const query = await searchParams
  const search = searchOf(query)
  const [page, signIns] = await Promise.all([
    searchSessions(actor, search, numberedPageOf(query)),
    listSignIns(actor),
  ])
  const all = search === '' ? page : await searchSessions(actor, '', numberedPageOf({}))
  return (
    <Stack>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="max-w-[68ch] text-[13px] text-muted leading-5">
          Don’t recognize a session? Sign it out and change your password. Sessions end {sessionDays} days
          after sign-in, or after {sessionDays / 2} days without use.
        </p>
        <ListFrame
          path="/account/sessions"
          noun={['session', 'sessions']}
          page={page}
          search={search}
          action={
            <ActionButton
              action={revokeOtherSessionsAction}
              disabled={all.total <= 1}
              done="Signed out everywhere else"
            >
              Sign out everywhere else
            </ActionButton>
          }
          empty={{ icon: MonitorSmartphone, title: 'No sessions', text: 'You aren’t signed in anywhere.' }}
        >
          <SessionList sessions={page.rows.map(withDevice)} revoke={revokeSessionAction} />
        </ListFrame>
      </div>
      <Section
        title="Sign-ins"
        description={`The last ${signInDays} days, including sessions that have ended. We email you about sign-ins from new locations.`}
        flush
      >
        <SignInList signIns={signIns.map(withDevice)} />
      </Section>
    </Stack>
  )
}
