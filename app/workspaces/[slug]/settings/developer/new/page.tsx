import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { NewAppForm } from '@/components/apps/new-app-form'
import { selectableApis } from '@/lib/features/resources/apis'
import { hasProduction } from '@/lib/policy/app-status'
import { createAppAction } from '../actions'

export const metadata: Metadata = { title: 'New OAuth App' }

export default async function NewAppPage({ params }: { params: Promise<{ slug: string }> }) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/developer/new',
    'workspace:manage-apps',
  )
  return (
    <NewAppForm
      workspaceId={workspace.id}
      developerHref={`${home}/settings/developer`}
      apis={await selectableApis()}
      staysInDevelopment={!(await hasProduction(actor))}
      action={createAppAction}
    />
  )
}
