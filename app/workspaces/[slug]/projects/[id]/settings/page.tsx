import type { Metadata } from 'next'
import { ConfirmAction } from '@/components/forms/confirm-action'
import { ProjectForm } from '@/components/projects/project-form'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { openProject } from '../../open-project'
import { deleteProjectAction, updateProjectAction } from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function ProjectSettingsPage({
  params,
}: {
  params: Promise<{ slug: string; id: string }>
}) {
  const { project, may, home } = await openProject(params, '/settings')
  return (
    <Stack>
      <ProjectForm
        project={project}
        editable={may('project:update')}
        fields={{ id: project.id }}
        action={updateProjectAction}
      />
      {may('project:delete') && (
        <Section
          danger
          title="Delete project"
          description="The project goes with everything in it. Apps and tokens lose it at once."
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
                The project, its variables, tokens and everything in it are deleted. This cannot be undone.
              </p>
            </ConfirmAction>
          </div>
        </Section>
      )}
    </Stack>
  )
}
