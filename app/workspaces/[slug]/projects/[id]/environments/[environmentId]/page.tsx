import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ConfirmAction } from '@/components/forms/action-button'
import { EnvironmentForm } from '@/components/projects/environment-form'
import { VariableHistory } from '@/components/projects/variable-history'
import { Section } from '@/components/ui/card'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { nameUsers } from '@/lib/features/identity/users/profile'
import { requireEnvironment } from '@/lib/features/projects/environments'
import { listVariableChanges } from '@/lib/features/projects/read-variables'
import { openProject } from '../../../open-project'
import { deleteEnvironmentAction, renameEnvironmentAction } from '../actions'

type Props = {
  params: Promise<{ slug: string; id: string; environmentId: string }>
  searchParams: Promise<SearchParams>
}

export const metadata: Metadata = { title: 'Environment' }

export default async function EnvironmentPage({ params, searchParams }: Props) {
  const { environmentId } = await params
  const { actor, project, may, address } = await openProject(params, `/environments/${environmentId}`)
  const { environment } = await orNotFound(requireEnvironment(actor, 'project:read', environmentId))
  if (environment.projectId !== project.id) notFound()
  const { rows, ...sides } = await listVariableChanges(actor, environment.id, pageOf(await searchParams))
  const hrefs = pageHrefs(`${address}/environments/${environment.id}`, {}, rows, sides)
  const fields = { id: environment.id }
  return (
    <Stack>
      <Section
        title={`History of ${environment.name}`}
        description="Shows who changed each variable and when. Values aren’t recorded."
        flush
      >
        <VariableHistory changes={await nameUsers(rows)} />
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of changes" />}
      {may('project:manage-environments') && (
        <EnvironmentForm environment={environment} fields={fields} action={renameEnvironmentAction} />
      )}
      {may('project:delete') && (
        <Section
          danger
          title="Delete environment"
          description="Deletes this environment, its variables, and their history."
        >
          <div>
            <ConfirmAction
              trigger="Delete environment"
              title={`Delete ${environment.name}?`}
              confirmLabel="Delete environment"
              done="Environment deleted"
              confirmName={environment.name}
              action={deleteEnvironmentAction}
              fields={{ ...fields, home: address }}
            >
              <p>Its variables and their history will be deleted. This can’t be undone.</p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </Stack>
  )
}
