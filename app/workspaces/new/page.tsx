import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { NewWorkspaceForm } from '@/components/workspaces/new-workspace-form'
import { requireSession } from '@/lib/edges/web/current-session'
import { createWorkspaceAction } from './actions'

export const metadata: Metadata = { title: 'New workspace' }

export default async function NewWorkspacePage() {
  await requireSession('/workspaces/new')
  return (
    <>
      <PageHeader title="New workspace" />
      <NewWorkspaceForm action={createWorkspaceAction} />
    </>
  )
}
