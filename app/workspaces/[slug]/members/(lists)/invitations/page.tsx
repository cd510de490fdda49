import type { Metadata } from 'next'
import { InvitationList } from '@/components/invitations/invitation-list'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { searchInvitations } from '@/lib/features/workspaces/list-invitations'
import { revokeInvitationAction } from '../../actions'
import { openMembers } from '../../open-members'

export const metadata: Metadata = { title: 'Invitations' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function InvitationsPage({ params, searchParams }: Props) {
  const { actor, workspace, home, path } = await openMembers(params, '/invitations', true)
  const query = await searchParams
  const search = searchOf(query)
  const to = { workspaceId: workspace.id }
  const page = await orNotFound(searchInvitations(actor, to, search, numberedPageOf(query)))
  return (
    <InvitationList
      path={`${path}/invitations`}
      page={page}
      search={search}
      projectsHref={`${home}/projects`}
      revoke={revokeInvitationAction}
    />
  )
}
