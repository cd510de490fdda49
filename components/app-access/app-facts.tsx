import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { profileFacts } from '../apps/app-facts'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { FactList } from '../ui/fact-list'
import { Time } from '../ui/time'
import { listedInstalled } from './installed-apps'

/** Shows the details of an installed app. */
export function AppFacts({ app }: { app: InstalledApp }) {
  const { state, may, on } = listedInstalled(app)
  const { decision } = app
  const facts = [
    { label: 'Status', value: <Badge tone={state.tone}>{state.text}</Badge> },
    { label: 'Made by', value: app.runBy?.name ?? 'Self-registered, not verified' },
    ...profileFacts(app.profile),
    { label: 'Verification', value: app.verified ? 'Verified' : 'Not verified' },
    ...(app.domain ? [{ label: 'Verified domain', value: app.domain }] : []),
    { label: 'Access', value: [may, on].filter(Boolean).join(' · ') },
    { label: 'Last used', value: <LastUsed at={app.lastUsedAt} /> },
    { label: 'Requests in 30 days', value: app.requests.toLocaleString('en') },
    { label: 'Client ID', value: <span className="font-mono text-[13px]">{app.id}</span>, wide: true },
    ...(decision
      ? [
          {
            label: decision.decision === 'BLOCKED' ? 'Blocked' : 'Approved',
            value: (
              <>
                <Time at={decision.decidedAt} />
                {decision.decidedBy && ` by ${decision.decidedBy}`}
              </>
            ),
          },
          ...(decision.decision === 'APPROVED'
            ? [
                { label: 'Approved for', value: decision.scopes.join(', ') },
                {
                  label: 'Expires',
                  value: decision.expiresAt ? <Time at={decision.expiresAt} capital /> : 'Never',
                },
              ]
            : []),
          ...(decision.word ? [{ label: 'Note', value: decision.word }] : []),
        ]
      : []),
  ]
  return (
    <Section title="About">
      <FactList facts={facts} />
    </Section>
  )
}

type Actions = { block: FormAction; withdraw: FormAction; revoke: FormAction }

/**
 * Lets admins block an app, undo their decision about it, or revoke the access that all users granted to it.
 */
export function AppDecisions({
  name,
  place,
  decision,
  users,
  actions,
}: {
  name: string
  place: Record<string, string>
  decision: 'APPROVED' | 'BLOCKED' | undefined
  users: number
  actions: Actions
}) {
  return (
    <>
      <Section
        danger
        title="Block app"
        description="A blocked app has no access, even if the policy allows it."
      >
        <div className="flex flex-wrap gap-2 md:justify-end">
          {decision && (
            <ActionButton
              action={actions.withdraw}
              fields={place}
              done={decision === 'BLOCKED' ? 'Unblocked' : 'Approval revoked'}
            >
              {decision === 'BLOCKED' ? 'Unblock' : 'Revoke approval'}
            </ActionButton>
          )}
          {decision !== 'BLOCKED' && (
            <ConfirmAction
              trigger="Block"
              title={`Block ${name}?`}
              confirmLabel="Block app"
              done="App blocked"
              action={actions.block}
              fields={place}
            >
              <p>The app loses access to this workspace and its projects immediately, for every user.</p>
            </ConfirmAction>
          )}
        </div>
      </Section>
      {users > 0 && (
        <Section
          danger
          title="Revoke all access"
          description="Removes every user’s access. Users can authorize the app again."
        >
          <div>
            <ConfirmAction
              trigger="Revoke all access"
              title={`Revoke all access of ${name}?`}
              confirmLabel="Revoke all access"
              done="Access revoked"
              action={actions.revoke}
              fields={place}
            >
              <p>
                {users === 1 ? '1 user' : `${users} users`} authorized the app in this workspace. The app
                loses access to this workspace and its projects until they authorize it again.
              </p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </>
  )
}
