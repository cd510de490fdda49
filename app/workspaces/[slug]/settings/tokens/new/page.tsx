import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { NewTokenForm } from '@/components/api-tokens/new-token-form'
import { createWorkspaceTokenAction } from '../actions'

export const metadata: Metadata = { title: 'New token' }

export default async function NewWorkspaceTokenPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/tokens/new',
    'workspace:manage-tokens',
  )
  const listHref = `${home}/settings/tokens`
  return (
    <NewTokenForm
      fields={{ workspaceId: workspace.id }}
      title="Workspace token"
      description={`Gives access to ${workspace.name} and its projects only. The token acts as you, with the lower of the token’s role and your role.`}
      trail={[{ label: 'Tokens', href: listHref }]}
      envName="WORKSPACE_TOKEN"
      listHref={listHref}
      action={createWorkspaceTokenAction}
    />
  )
}
