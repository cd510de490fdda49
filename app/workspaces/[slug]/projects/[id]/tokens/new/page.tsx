import type { Metadata } from 'next'
import { NewTokenForm } from '@/components/api-tokens/new-token-form'
import { parsePage } from '@/lib/base/db/paging'
import { listEnvironments } from '@/lib/features/projects/environments'
import { openProject } from '../../../open-project'
import { createProjectTokenAction } from '../actions'

export const metadata: Metadata = { title: 'New token' }

type Props = { params: Promise<{ slug: string; id: string }> }

export default async function NewProjectTokenPage({ params }: Props) {
  const { actor, project, address } = await openProject(params, '/tokens/new', 'project:manage-tokens')
  const { rows: environments } = await listEnvironments(actor, project.id, parsePage({ first: 100 }))
  return (
    <NewTokenForm
      fields={{ projectId: project.id }}
      environments={environments.map(({ id, name }) => ({ id, name }))}
      title="New token"
      description="Gives access to this project only. The token acts as you, with the lower of the token’s role and your role."
      envName="PROJECT_TOKEN"
      listHref={`${address}/tokens`}
      action={createProjectTokenAction}
    />
  )
}
