import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { ProjectForm } from '@/components/projects/project-form'
import { createProjectAction } from './actions'

export const metadata: Metadata = { title: 'New project' }

export default async function NewProjectPage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, home } = await openWorkspace(
    (await params).slug,
    '/projects/new',
    'workspace:create-project',
  )
  return (
    <>
      <PageHeader title="New project" trail={[{ label: 'Projects', href: `${home}/projects` }]} />
      <ProjectForm action={createProjectAction} fields={{ workspaceId: workspace.id }} />
    </>
  )
}
