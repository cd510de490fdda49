import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { ChoiceFilter } from '@/components/lists/filters'
import { ListFrame } from '@/components/lists/list-frame'
import { MemberTable } from '@/components/members/member-table'
import { roleNames } from '@/components/members/role-select'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, oneOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { searchMembers } from '@/lib/features/workspaces/list-members'
import { requireWorkspace } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { changeRoleAction, removeMemberAction } from './actions'
import { Invitations } from './invitations'

export const metadata: Metadata = { title: 'Members' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function MembersPage({ params, searchParams }: Props) {
  const { actor, user, workspace, home, may } = await openWorkspace((await params).slug, '/members')
  await orNotFound(requireWorkspace(actor, 'workspace:read-members', workspace.id))
  const query = await searchParams
  const [path, search, role] = [
    `${home}/members`,
    searchOf(query),
    oneOf(query, 'role', Object.keys(roleNames) as Role[]),
  ]
  const page = await searchMembers(workspace.id, search, role ?? null, numberedPageOf(query))
  const admin = may('workspace:manage-members')
  const manage = { workspaceId: workspace.id, changeRole: changeRoleAction, remove: removeMemberAction }
  return (
    <>
      <PageHeader
        title="Members"
        description={`Everyone in ${workspace.name}. Roles also apply to its projects.`}
      />
      <Stack>
        <ListFrame
          path={path}
          noun={['member', 'members']}
          page={page}
          search={search}
          kept={{ role: role ?? '' }}
          filters={
            <ChoiceFilter path={path} name="role" choices={roleNames} value={role} kept={{ search }} />
          }
          empty={{ icon: Users, title: 'No members', text: 'Invite someone below.' }}
        >
          <MemberTable
            caption="Members"
            members={page.rows}
            you={user.id}
            manage={admin ? manage : undefined}
          />
        </ListFrame>
        {admin && <Invitations actor={actor} workspaceId={workspace.id} home={home} query={query} />}
      </Stack>
    </>
  )
}
