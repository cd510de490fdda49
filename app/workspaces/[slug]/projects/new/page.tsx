import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { NewProjectForm } from '@/components/projects/new-project-form'
import { createProjectAction } from './actions'

export const metadata: Metadata = { title: 'New project' }

export default async function NewProjectPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, home } = await openWorkspace(
    (await params).slug,
    '/projects/new',
    'workspace:create-project',
  )
  const list = `${home}/projects`
  return (
    <>
      <PageHeader title="New project" trail={[{ label: 'Projects', href: list }]} />
      <NewProjectForm workspaceId={workspace.id} listHref={list} action={createProjectAction} />
    </>
  )
}
