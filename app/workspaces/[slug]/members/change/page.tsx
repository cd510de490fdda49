import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PageHeader } from '@/components/frame/page-header'
import { Removal, RoleChange } from '@/components/members/member-dialog'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import type { SearchParams } from '@/lib/edges/web/console/list-page'
import { mostMembers } from '@/lib/features/workspaces/change-member'
import { membersById } from '@/lib/features/workspaces/search-members'
import { changeRolesAction, removeMembersAction } from '../actions'
import { openMembers } from '../open-members'

export const metadata: Metadata = { title: 'Change members' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

/**
 * The page on which admins change the role of the members in `?user=` or remove the members if JavaScript is
 * disabled. With JavaScript, the list opens dialogs instead.
 */
export default async function ChangeMembersPage({ params, searchParams }: Props) {
  const { user, workspace, path } = await openMembers(params, '/change', true)
  const userIds = [(await searchParams).user ?? []].flat().slice(0, mostMembers)
  const members = await membersById(workspace.id, userIds)
  if (members.length === 0) notFound()
  const manage = {
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    change: changeRolesAction,
    remove: removeMembersAction,
  }
  const one = members.length === 1 ? members[0]?.name : undefined
  return (
    <>
      <PageHeader
        title={one ?? `${members.length} members`}
        trail={[{ label: 'Members', href: path }]}
        description={one ? members[0]?.email : members.map(({ name }) => name).join(', ')}
      />
      <Stack>
        <Section title="Role">
          <RoleChange members={members} manage={manage} back={path} />
        </Section>
        {members.every(({ id }) => id !== user.id) && (
          <Section title="Remove">
            <Removal members={members} manage={manage} back={path} />
          </Section>
        )}
      </Stack>
    </>
  )
}
