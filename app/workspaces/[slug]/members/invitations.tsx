import { InvitationTable } from '@/components/invitations/invitation-table'
import { InviteForm } from '@/components/invitations/invite-form'
import { Section } from '@/components/ui/card'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listInvitations } from '@/lib/features/workspaces/invitations/list-invitations'
import type { SessionActor } from '@/lib/policy/actor'
import { inviteAction, revokeInvitationAction } from './actions'

/** An admin's part of the members' page: inviting, and who has not come yet, to single projects too. `query` says which page of them. */
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
  const to = { workspaceId, withProjects: true }
  const { rows, ...sides } = await orNotFound(listInvitations(actor, to, pageOf(query)))
  const hrefs = pageHrefs(`${home}/members`, {}, rows, sides)
  return (
    <>
      <InviteForm workspaceId={workspaceId} action={inviteAction} />
      {rows.length > 0 && (
        <Section title="Invitations" description="Waiting for a reply" flush>
          <InvitationTable
            invitations={rows}
            projectsHref={`${home}/projects`}
            revoke={revokeInvitationAction}
          />
        </Section>
      )}
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of invitations" />}
    </>
  )
}
