import type { Metadata } from 'next'
import { ActionButton } from '@/components/forms/action-button'
import { SessionList } from '@/components/sessions/session-list'
import { SignInList } from '@/components/sessions/sign-in-list'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { config } from '@/lib/base/config/env'
import { describeDevice } from '@/lib/base/http/describe-device'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listSessions } from '@/lib/features/identity/sessions/list-sessions'
import { listSignIns, signInDays } from '@/lib/features/identity/sessions/list-sign-ins'
import { revokeOtherSessionsAction, revokeSessionAction } from './actions'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage() {
  const { actor } = await requireSession('/account/sessions')
  const { SESSION_DAYS, SESSION_IDLE_DAYS } = config()
  const [rows, signIns] = await Promise.all([listSessions(actor), listSignIns(actor)])
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
    <Stack>
      <Section
        title="Sessions"
        description={`Browsers you are signed in with. If you do not know one, sign it out and change your password. Each ends by itself ${SESSION_DAYS} days after signing in, or after ${SESSION_IDLE_DAYS} without use.`}
        action={all}
        flush
      >
        <SessionList sessions={sessions} revoke={revokeSessionAction} />
      </Section>
      <Section
        title="Sign-ins"
        description={`The last ${signInDays} days, also where you’re signed out again. We email you at a sign-in from somewhere new.`}
        flush
      >
        <SignInList
          signIns={signIns.map(({ userAgent, ...rest }) => ({ ...rest, device: describeDevice(userAgent) }))}
        />
      </Section>
    </Stack>
  )
}
