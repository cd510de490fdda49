import type { getWorkspace } from '@/lib/features/operator/workspaces'
import { policies } from '../app-access/policies'
import { Section } from '../ui/card'
import { Time } from '../ui/time'
import { FactList } from './fact-list'

/** What a workspace holds, and who and what it lets in. */
export function WorkspaceFacts({ workspace }: { workspace: Awaited<ReturnType<typeof getWorkspace>> }) {
  const { counts, identityProvider: provider } = workspace
  return (
    <Section title="Workspace">
      <FactList
        facts={[
          { label: 'Created', value: <Time at={workspace.createdAt} /> },
          { label: 'Members', value: counts.members },
          { label: 'Open invitations', value: counts.invitations },
          { label: 'Projects', value: counts.projects },
          { label: 'OAuth apps', value: counts.clients },
          { label: 'Apps that come in', value: policies[workspace.appPolicy].label },
          { label: 'Installations', value: counts.installations },
          { label: 'API tokens', value: counts.apiTokens },
          { label: 'Webhooks', value: counts.webhooks },
          { label: 'Two-factor', value: workspace.requireTwoFactor ? 'Required' : 'Not required' },
          {
            label: 'Identity provider',
            value: provider
              ? `${provider.issuer}, for ${provider.domain}${provider.verifiedAt ? '' : ' (not proven)'}`
              : 'None',
          },
          { label: 'Personal workspace', value: workspace.personalOwner?.name ?? 'No' },
          {
            label: 'ID',
            value: <span className="font-mono text-[13px]">{workspace.id}</span>,
            wide: true,
          },
        ]}
      />
    </Section>
  )
}
