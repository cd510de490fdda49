import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { profileFacts } from '../apps/profile-facts'
import { FactList } from '../operator/fact-list'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/last-used'
import { Time } from '../ui/time'
import { listedInstalled } from './listed-installed'

/** What is known of an installed app. */
export function AppFacts({ app }: { app: InstalledApp }) {
  const { state, may, on } = listedInstalled(app)
  const { decision } = app
  const facts = [
    { label: 'State', value: <Badge tone={state.tone}>{state.text}</Badge> },
    { label: 'Made by', value: app.runBy?.name ?? 'Registered itself, not verified' },
    ...profileFacts(app.profile),
    { label: 'Checked by the operator', value: app.verified ? 'Verified' : 'Not verified' },
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
                { label: 'Ends', value: decision.expiresAt ? <Time at={decision.expiresAt} /> : 'Never' },
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
