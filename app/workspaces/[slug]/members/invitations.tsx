import { InvitationList, invitationNames } from '@/components/invitations/invitation-list'
import { InviteForm } from '@/components/invitations/invite-form'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { searchInvitations } from '@/lib/features/workspaces/list-invitations'
import type { SessionActor } from '@/lib/policy/actor'
import { inviteAction, revokeInvitationAction } from './actions'

/** An admin's part of the members' page: inviting, and who has not come yet, to single projects too. `query` says what of them. */
export async function Invitations({
  actor,
  workspaceId,
  home,
  query,
}: {
  actor: SessionActor
  workspaceId: string
  /** The workspace's address. */
  home: string
  query: SearchParams
}) {
  const search = searchOf(query, invitationNames)
  const wanted = numberedPageOf(query, undefined, invitationNames)
  const page = await orNotFound(searchInvitations(actor, { workspaceId }, search, wanted))
  return (
    <>
      <InviteForm workspaceId={workspaceId} action={inviteAction} />
      <InvitationList
        path={`${home}/members`}
        page={page}
        search={search}
        projectsHref={`${home}/projects`}
        revoke={revokeInvitationAction}
      />
    </>
  )
}
