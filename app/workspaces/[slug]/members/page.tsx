import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { PageHeader } from '@/components/frame/page-header'
import { MemberTable } from '@/components/members/member-table'
import { Card } from '@/components/ui/card'
import { requireWorkspace } from '@/lib/policy/require'
import { orNotFound } from '@/lib/web/or-not-found'
import { listMembers } from '@/lib/workspaces/list-members'

export const metadata: Metadata = { title: 'Members' }

export default async function MembersPage({ params }: { params: Promise<{ slug: string }> }) {
  const { actor, person, workspace } = await openWorkspace((await params).slug, '/members')
  await orNotFound(requireWorkspace(actor, 'workspace:read-members', workspace.id))
  const [members = []] = await listMembers([workspace.id])
  return (
    <>
      <PageHeader
        title="Members"
        description={`Their role in ${workspace.name} carries over to its projects.`}
      />
      <Card className="overflow-clip">
        <MemberTable caption="Members" members={members} you={person.id} />
      </Card>
    </>
  )
}
