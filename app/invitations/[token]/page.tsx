import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { AcceptForm } from '@/components/invitations/accept-form'
import { DeadInvitation } from '@/components/invitations/dead-invitation'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { ButtonLink } from '@/components/ui/button-link'
import { isAppError } from '@/lib/base/errors/app-error'
import { currentSession } from '@/lib/edges/web/session/current-session'
import { findOffer } from '@/lib/features/workspaces/invitations/accept-invitation'
import { acceptAction } from './actions'

export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin', robots: { index: false } }

const roleWords = { ADMIN: 'an admin', MEMBER: 'a member', VIEWER: 'a viewer' }

/** Where an invitation's link leads. The button accepts it, not opening it: mail scanners open links before people do. */
export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const [session, offer] = await Promise.all([currentSession(), readOffer(token)])
  if (!offer) {
    return (
      <CardFrame brand={readBrand()}>
        <DeadInvitation />
      </CardFrame>
    )
  }
  const { invitation, workspace, project, inviter } = offer
  const place = project ? `${project.name} in ${workspace.name}` : workspace.name
  const next = encodeURIComponent(`/invitations/${token}`)
  const meant = session?.person.email === invitation.email
  return (
    <CardFrame brand={readBrand()}>
      <CardHeading title={`Join ${place}`}>
        {inviter ?? 'Somebody'} invited {invitation.email} to be {roleWords[invitation.role]}.
      </CardHeading>
      <div className="grid gap-4">
        {session && !meant && (
          <Alert tone="warning" title={`You are signed in as ${session.person.email}`}>
            The invitation is for {invitation.email}. Sign out to join with that address, or join with this
            account.
          </Alert>
        )}
        {session ? (
          <AcceptForm token={token} label={`Join as ${session.person.name}`} action={acceptAction} />
        ) : (
          <>
            <ButtonLink href={`/login?next=${next}`} variant="primary" size="large" wide prefetch={false}>
              Sign in to join
            </ButtonLink>
            <ButtonLink href={`/signup?next=${next}`} size="large" wide prefetch={false}>
              Create an account
            </ButtonLink>
          </>
        )}
        {session && !meant && (
          <form method="post" action="/logout">
            <input type="hidden" name="next" value={`/invitations/${token}`} />
            <Button type="submit" size="large" wide>
              Sign out
            </Button>
          </form>
        )}
      </div>
    </CardFrame>
  )
}

/** What the link offers; undefined when it offers nothing any more. */
async function readOffer(token: string) {
  try {
    return await findOffer(token)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}
