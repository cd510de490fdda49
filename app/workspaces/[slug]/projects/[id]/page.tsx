import { EnvironmentForm } from '@/components/projects/environment-form'
import { EnvironmentSection } from '@/components/projects/environment-section'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Layers } from '@/components/ui/icon'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { listEnvironments } from '@/lib/features/projects/environments'
import { listVariableNames } from '@/lib/features/projects/read-variables'
import { openProject } from '../open-project'
import {
  createEnvironmentAction,
  deleteVariableAction,
  revealVariableAction,
  setVariableAction,
} from './environments/actions'

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

/**
 * The page size. It is small, because each environment is loaded with the names of all its variables (up to
 * 500).
 */
const environmentsPerPage = 10

export default async function ProjectPage({ params, searchParams }: Props) {
  const { actor, project, may, address } = await openProject(params)
  const page = pageOf(await searchParams, environmentsPerPage)
  const { rows, ...sides } = await listEnvironments(actor, project.id, page)
  const variables = await listVariableNames(
    actor,
    project.id,
    rows.map(({ id }) => id),
  )
  const hrefs = pageHrefs(address, {}, rows, sides)
  const editable = may('project:write-variables')
  return (
    <Stack>
      {rows.length === 0 && (
        <Card>
          <EmptyState icon={Layers} title="No environments yet">
            An environment, such as production or staging, contains variables for the project.
          </EmptyState>
        </Card>
      )}
      {rows.length > 0 && !editable && (
        <p className="text-[13px] text-muted leading-5">
          Your role lets you see only the names of variables. Members can see values.
        </p>
      )}
      {rows.map((environment, at) => (
        <EnvironmentSection
          key={environment.id}
          environment={environment}
          variables={variables[at] ?? []}
          href={`${address}/environments/${environment.id}`}
          editable={editable}
          actions={{ set: setVariableAction, reveal: revealVariableAction, remove: deleteVariableAction }}
        />
      ))}
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of environments" />}
      {may('project:manage-environments') && (
        <EnvironmentForm fields={{ projectId: project.id }} action={createEnvironmentAction} />
      )}
    </Stack>
  )
}
