import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { MemberTable } from '@/components/members/member-table'
import { Card } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listMembers } from '@/lib/features/workspaces/list-members'
import { requireWorkspace } from '@/lib/policy/require'
import { changeRoleAction, removeMemberAction } from './actions'
import { Invitations } from './invitations'

export const metadata: Metadata = { title: 'Members' }

export default async function MembersPage({
  params,
  searchParams,
}: {
  params: Promise<{ slug: string }>
  searchParams: Promise<SearchParams>
}) {
  const { actor, person, workspace, home, may } = await openWorkspace((await params).slug, '/members')
  await orNotFound(requireWorkspace(actor, 'workspace:read-members', workspace.id))
  const [members = []] = await listMembers(actor, [workspace.id])
  const admin = may('workspace:manage-members')
  const manage = { workspaceId: workspace.id, changeRole: changeRoleAction, remove: removeMemberAction }
  return (
    <>
      <PageHeader
        title="Members"
        description={`Their role in ${workspace.name} carries over to its projects.`}
      />
      <Stack>
        <Card className="overflow-clip">
          <MemberTable
            caption="Members"
            members={members}
            you={person.id}
            manage={admin ? manage : undefined}
          />
        </Card>
        {admin && (
          <Invitations actor={actor} workspaceId={workspace.id} home={home} query={await searchParams} />
        )}
      </Stack>
    </>
  )
}
