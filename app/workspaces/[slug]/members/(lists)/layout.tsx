import type { ReactNode } from 'react'
import { PageHeader, SubNav } from '@/components/frame/page-header'
import { InviteUsers } from '@/components/invitations/invite-people'
import { countMembers } from '@/lib/features/workspaces/search-members'
import { inviteAction } from '../actions'
import { openMembers } from '../open-members'

type Props = { params: Promise<{ slug: string }>; children: ReactNode }

/** The title of the member lists and, for admins, an invite button and the tabs with their counts. */
export default async function MembersLayout({ params, children }: Props) {
  const { workspace, path, admin } = await openMembers(params)
  const counts = admin ? await countMembers(workspace.id) : undefined
  const tab = (label: string, count: number, below = '') => ({
    label,
    count,
    href: path + below,
    exact: below === '',
  })
  return (
    <>
      <PageHeader
        title="Members"
        description={`Workspace roles also apply to all projects of ${workspace.name}.`}
        action={
          admin && <InviteUsers href={`${path}/invite`} workspaceId={workspace.id} action={inviteAction} />
        }
      />
      {counts && (
        <SubNav
          label="Members"
          items={[
            tab('Members', counts.members),
            tab('Invitations', counts.invitations, '/invitations'),
            tab('External', counts.external, '/external'),
          ]}
        />
      )}
      {children}
    </>
  )
}
