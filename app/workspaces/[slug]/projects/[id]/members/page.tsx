import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import { InvitationTable } from '@/components/invitations/invitation-table'
import { AddMemberForm } from '@/components/projects/add-member-form'
import { ProjectMemberTable } from '@/components/projects/project-member-table'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Stack } from '@/components/ui/stack'
import { pageOf } from '@/lib/edges/web/console/list-page'
import { listProjectMembers } from '@/lib/features/projects/list-members'
import { listInvitations } from '@/lib/features/workspaces/invitations/list-invitations'
import { openProject } from '../../open-project'
import {
  addProjectMemberAction,
  removeProjectMemberAction,
  revokeProjectInvitationAction,
  setProjectRoleAction,
} from './actions'

export const metadata: Metadata = { title: 'Members' }

/** As many open invitations as the page shows. */
const invitationsShown = 100

type Props = { params: Promise<{ slug: string; id: string }> }

export default async function ProjectMembersPage({ params }: Props) {
  const { actor, person, project, may } = await openProject(params, '/members')
  const editable = may('project:manage-members')
  const [members = []] = await listProjectMembers(actor, [project.id])
  const invitations = editable
    ? (await listInvitations(actor, { projectId: project.id }, pageOf({}, invitationsShown))).rows
    : []
  return (
    <Stack>
      <Section
        title="People in this project"
        description="Members of the workspace reach the project through it; here are those with a role in the project itself."
        flush
      >
        {members.length === 0 ? (
          <EmptyState icon={Users} title="Nobody in this project alone">
            Add someone from outside the workspace, or give a member a higher role here.
          </EmptyState>
        ) : (
          <ProjectMemberTable
            projectId={project.id}
            members={members}
            you={person.id}
            editable={editable}
            actions={{ setRole: setProjectRoleAction, remove: removeProjectMemberAction }}
          />
        )}
      </Section>
      {invitations.length > 0 && (
        <Section title="Invitations" description="Sent, and not accepted yet." flush>
          <InvitationTable invitations={invitations} revoke={revokeProjectInvitationAction} />
        </Section>
      )}
      {editable && <AddMemberForm projectId={project.id} action={addProjectMemberAction} />}
    </Stack>
  )
}
