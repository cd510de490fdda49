import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { ConfirmAction } from '@/components/forms/action-button'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { LeaveSection, TwoFactorRule } from '@/components/workspaces/settings-sections'
import { WorkspaceForm } from '@/components/workspaces/workspace-form'
import {
  deleteWorkspaceAction,
  leaveWorkspaceAction,
  requireTwoFactorAction,
  updateWorkspaceAction,
} from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function WorkspaceSettingsPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, may } = await openWorkspace((await params).slug, '/settings', 'workspace:read')
  return (
    <Stack>
      <WorkspaceForm
        key={workspace.slug}
        workspace={{ id: workspace.id, name: workspace.name, slug: workspace.slug }}
        editable={may('workspace:update')}
        action={updateWorkspaceAction}
      />
      {may('workspace:update') && (
        <TwoFactorRule
          workspaceId={workspace.id}
          required={workspace.requireTwoFactor}
          action={requireTwoFactorAction}
        />
      )}
      <LeaveSection workspace={workspace} action={leaveWorkspaceAction} />
      {may('workspace:delete') && (
        <Section
          danger
          title="Delete workspace"
          description="Deletes its projects, OAuth apps, and tokens. This can’t be undone."
        >
          <div>
            <ConfirmAction
              trigger="Delete workspace"
              title={`Delete ${workspace.name}?`}
              confirmLabel="Delete workspace"
              done="Workspace deleted"
              confirmName={workspace.name}
              action={deleteWorkspaceAction}
              fields={{ id: workspace.id }}
            >
              <p>
                Its projects, OAuth apps, and tokens will be deleted. Everyone who signs in through these apps
                will lose access. This can’t be undone.
              </p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </Stack>
  )
}
