import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { ConfirmAction } from '@/components/forms/confirm-action'
import { PageHeader } from '@/components/frame/page-header'
import { MemberTable } from '@/components/members/member-table'
import { ProjectForm } from '@/components/projects/project-form'
import { Section } from '@/components/ui/card'
import { projectRoleOf, requireProject } from '@/lib/policy/require'
import { reaches } from '@/lib/policy/roles'
import { listProjectMembers } from '@/lib/projects/list-members'
import { orNotFound } from '@/lib/web/or-not-found'
import { deleteProjectAction, updateProjectAction } from '../actions'

type Props = { params: Promise<{ slug: string; id: string }> }

async function openProject(params: Props['params']) {
  const { slug, id } = await params
  const opened = await openWorkspace(slug, `/projects/${id}`)
  const project = await orNotFound(requireProject(opened.actor, 'project:read', id))
  if (project.workspaceId !== opened.workspace.id) notFound()
  return { ...opened, project }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openProject(params)).project.name }
}

export default async function ProjectPage({ params }: Props) {
  const { project, person, home } = await openProject(params)
  const role = projectRoleOf(project)
  const [members = []] = await listProjectMembers([project.id])
  return (
    <>
      <PageHeader title={project.name} trail={[{ label: 'Projects', href: home }]} />
      <div className="grid gap-6">
        <ProjectForm
          project={project}
          editable={reaches(role, 'MEMBER')}
          fields={{ id: project.id }}
          action={updateProjectAction}
        />
        {members.length > 0 && (
          <Section
            title="People in this project alone"
            description="Members of the workspace reach the project through it and are not listed here."
            flush
          >
            <MemberTable caption="People in this project" members={members} you={person.id} />
          </Section>
        )}
        {reaches(role, 'ADMIN') && (
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
                confirmName={project.name}
                action={deleteProjectAction}
                fields={{ id: project.id, home }}
              >
                <p>The project, its tokens and everything in it are deleted. This cannot be undone.</p>
              </ConfirmAction>
            </div>
          </Section>
        )}
      </div>
    </>
  )
}
