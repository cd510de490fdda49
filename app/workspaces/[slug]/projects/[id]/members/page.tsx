import type { Metadata } from 'next'
import { InvitationSection, invitationNames } from '@/components/invitations/invitation-list'
import { ListFrame } from '@/components/lists/list-frame'
import { AddMemberForm } from '@/components/projects/add-member-form'
import { ProjectMemberTable } from '@/components/projects/project-member-table'
import { Users } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { searchProjectMembers } from '@/lib/features/projects/list-members'
import { searchInvitations } from '@/lib/features/workspaces/list-invitations'
import { openProject } from '../../open-project'
import {
  addProjectMemberAction,
  removeProjectMemberAction,
  revokeProjectInvitationAction,
  setProjectRoleAction,
} from './actions'

export const metadata: Metadata = { title: 'Members' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function ProjectMembersPage({ params, searchParams }: Props) {
  const { actor, user, project, may, address } = await openProject(params, '/members')
  const editable = may('project:manage-members')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchProjectMembers(actor, project.id, search, numberedPageOf(query))
  const invited = searchOf(query, invitationNames)
  const wanted = numberedPageOf(query, undefined, invitationNames)
  const invitations = editable && (await searchInvitations(actor, { projectId: project.id }, invited, wanted))
  return (
    <Stack>
      <div className="grid gap-3">
        <p className="text-[13px] text-muted leading-5">
          Everyone in the workspace can open this project. This list shows users who also have a role in it.
        </p>
        <ListFrame
          path={`${address}/members`}
          noun={['user', 'users']}
          page={page}
          search={search}
          empty={{
            icon: Users,
            title: 'No project roles yet',
            text: editable
              ? 'Add someone from outside the workspace, or give a member a higher role in this project.'
              : 'Workspace members have access through their workspace role.',
          }}
        >
          <ProjectMemberTable
            projectId={project.id}
            members={page.rows}
            you={user.id}
            editable={editable}
            actions={{ setRole: setProjectRoleAction, remove: removeProjectMemberAction }}
          />
        </ListFrame>
      </div>
      {invitations && (
        <InvitationSection
          path={`${address}/members`}
          page={invitations}
          search={invited}
          revoke={revokeProjectInvitationAction}
        />
      )}
      {editable && <AddMemberForm projectId={project.id} action={addProjectMemberAction} />}
    </Stack>
  )
}
