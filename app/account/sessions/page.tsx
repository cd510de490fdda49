import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { describeDevice } from '@/lib/base/http/describe-device'
import { SessionList } from '@/components/sessions/session-list'
import { Section } from '@/components/ui/card'
import { config } from '@/lib/base/config/env'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listSessions } from '@/lib/features/identity/sessions/list-sessions'
import { revokeOtherSessionsAction, revokeSessionAction } from './actions'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage() {
  const { actor } = await requireSession('/account/sessions')
  const { SESSION_DAYS, SESSION_IDLE_DAYS } = config()
  const rows = await listSessions(actor)
  const sessions = rows
    .sort((a, b) => Number(b.current) - Number(a.current))
    .map(({ id, ip, userAgent, createdAt, lastUsedAt, current }) => ({
      id,
      ip,
      createdAt,
      lastUsedAt,
      current,
      device: describeDevice(userAgent),
    }))
  const all = (
    <ActionButton action={revokeOtherSessionsAction} done="Signed out everywhere else">
      Sign out everywhere else
    </ActionButton>
  )
  return (
    <Section
      title="Sessions"
      description={`Browsers you are signed in with. If you do not know one, sign it out and change your password. Each ends by itself ${SESSION_DAYS} days after signing in, or after ${SESSION_IDLE_DAYS} without use.`}
      action={all}
      flush
    >
      <SessionList sessions={sessions} revoke={revokeSessionAction} />
    </Section>
  )
}
