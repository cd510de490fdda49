import type { Metadata } from 'next'
import { NewProjectTokenForm } from '@/components/api-tokens/new-project-token-form'
import { openProject } from '../../../open-project'
import { createProjectTokenAction } from '../../../token-actions'

export const metadata: Metadata = { title: 'New token' }

type Props = { params: Promise<{ slug: string; id: string }> }

export default async function NewProjectTokenPage({ params }: Props) {
  const { project, address } = await openProject(params, '/tokens/new', 'ADMIN')
  return (
    <NewProjectTokenForm
      projectId={project.id}
      listHref={`${address}/tokens`}
      action={createProjectTokenAction}
    />
  )
}
