import type { Metadata } from 'next'
import { ConfirmAction } from '@/components/forms/action-button'
import { ProjectForm } from '@/components/projects/project-form'
import { TransferProject } from '@/components/projects/project-sections'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { config } from '@/lib/base/config/env'
import { listDestinations } from '@/lib/features/projects/transfer-project'
import { allows } from '@/lib/policy/permissions'
import { openProject } from '../../open-project'
import { deleteProjectAction, transferProjectAction, updateProjectAction } from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function ProjectSettingsPage({
  params,
}: {
  params: Promise<{ slug: string; id: string }>
}) {
  const { actor, workspace, project, may, home } = await openProject(params, '/settings')
  const mayMove = may('project:transfer') && allows(workspace.role, 'workspace:transfer-projects')
  const workspaces = mayMove ? await listDestinations(actor, workspace.id) : []
  const days = config().restoreDays
  return (
    <Stack>
      <ProjectForm project={project} editable={may('project:update')} action={updateProjectAction} />
      {workspaces.length > 0 && (
        <TransferProject project={project} workspaces={workspaces} action={transferProjectAction} />
      )}
      {may('project:delete') && (
        <Section
          danger
          title="Delete project"
          description="Deletes the project and everything in it. Apps and tokens lose access immediately."
        >
          <div>
            <ConfirmAction
              trigger="Delete project"
              title={`Delete ${project.name}?`}
              confirmLabel="Delete project"
              done="Project deleted"
              confirmName={project.name}
              action={deleteProjectAction}
              fields={{ id: project.id, home: `${home}/projects` }}
            >
              <p>
                The project and everything in it, including its variables and tokens, will be deleted.{' '}
                {days > 0
                  ? `Workspace admins can restore the project within ${days} days, but not its tokens.`
                  : 'This can’t be undone.'}
              </p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </Stack>
  )
}
