import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import { InvitationTable } from '@/components/invitations/invitation-table'
import { ListFrame } from '@/components/lists/list-frame'
import { AddMemberForm } from '@/components/projects/add-member-form'
import { ProjectMemberTable } from '@/components/projects/project-member-table'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, pageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { searchProjectMembers } from '@/lib/features/projects/list-members'
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

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function ProjectMembersPage({ params, searchParams }: Props) {
  const { actor, person, project, may, address } = await openProject(params, '/members')
  const editable = may('project:manage-members')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchProjectMembers(actor, project.id, search, numberedPageOf(query))
  const invitations = editable
    ? (await listInvitations(actor, { projectId: project.id }, pageOf({}, invitationsShown))).rows
    : []
  return (
    <Stack>
      <div className="grid gap-3">
        <p className="max-w-[68ch] text-[13px] text-muted leading-5">
          Everyone in the workspace can open this project. These people also have a role of their own in it.
        </p>
        <ListFrame
          path={`${address}/members`}
          noun={['person', 'people']}
          page={page}
          search={search}
          empty={{
            icon: Users,
            title: 'Nobody in this project alone',
            text: 'Add someone from outside the workspace, or give a member a higher role here.',
          }}
        >
          <ProjectMemberTable
            projectId={project.id}
            members={page.rows}
            you={person.id}
            editable={editable}
            actions={{ setRole: setProjectRoleAction, remove: removeProjectMemberAction }}
          />
        </ListFrame>
      </div>
      {invitations.length > 0 && (
        <Section title="Invitations" description="Waiting for a reply" flush>
          <InvitationTable invitations={invitations} revoke={revokeProjectInvitationAction} />
        </Section>
      )}
      {editable && <AddMemberForm projectId={project.id} action={addProjectMemberAction} />}
    </Stack>
  )
}
