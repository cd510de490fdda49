import type { Metadata } from 'next'
import { sayToVisitor } from '@/app/auth-pages/under-next'
import { readBrand } from '@/app/brand'
import { AuthFrame } from '@/components/frame/auth-frame'
import { AuthMessage } from '@/components/frame/message-card'
import { AcceptForm } from '@/components/invitations/accept-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { CardHeading } from '@/components/ui/card'
import { Link2Off } from '@/components/ui/icon'
import { ButtonLink } from '@/components/ui/link'
import { isAppError } from '@/lib/base/errors/app-error'
import type { Say } from '@/lib/base/language/say'
import { currentSession } from '@/lib/edges/web/current-session'
import { signUpAccess } from '@/lib/features/identity/users/sign-up-policy'
import { currentRole, findInvitation } from '@/lib/features/workspaces/accept-invitation'
import { roleIncludes } from '@/lib/policy/scopes'
import { acceptAction } from './actions'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await sayToVisitor())('invited.title'),
  referrer: 'same-origin',
  robots: { index: false },
})

/**
 * The page of an invitation link. Only the button accepts the invitation, because mail scanners open links
 * before users do.
 */
export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const [session, offer, say] = await Promise.all([currentSession(), readOffer(token), sayToVisitor()])
  const brand = readBrand()
  if (!offer) {
    return (
      <AuthFrame brand={brand} say={say}>
        <DeadInvitation say={say} service={brand.serviceName} />
      </AuthFrame>
    )
  }
  const { invitation, workspace, project, inviter } = offer
  const place = project
    ? say('earlier.projectIn', { project: project.name, workspace: workspace.name })
    : workspace.name
  const next = encodeURIComponent(`/invitations/${token}`)
  const meant = session?.user.email === invitation.email
  const role = session && (await currentRole(offer, session.user.id))
  return (
    <AuthFrame brand={brand} say={say}>
      <CardHeading title={say('invited.heading', { place })}>
        {say('invited.by', {
          inviter: inviter ?? say('invited.someone'),
          email: invitation.email,
          role: say(`role.${invitation.role}`),
        })}
      </CardHeading>
      <div className="grid gap-4">
        {session && !meant && (
          <Alert tone="warning" title={say('invited.signedInAs', { email: session.user.email })}>
            {say('invited.other', { email: invitation.email })}
          </Alert>
        )}
        {role && (
          <Alert title={say('invited.already', { role: say(`role.${role}`), place })}>
            {roleIncludes(role, invitation.role)
              ? say('invited.keeps')
              : say('invited.raises', { role: say(`role.${invitation.role}`) })}
          </Alert>
        )}
        {session ? (
          <AcceptForm
            token={token}
            label={say(role ? 'invited.accept' : 'invited.join', { name: session.user.name })}
            action={acceptAction}
          />
        ) : (
          <>
            <ButtonLink href={`/login?next=${next}`} variant="primary" size="large" wide>
              {say('invited.signIn')}
            </ButtonLink>
            {signUpAccess(`/invitations/${token}`) === 'open' && (
              <ButtonLink href={`/signup?next=${next}`} size="large" wide>
                {say('login.create')}
              </ButtonLink>
            )}
          </>
        )}
        {session && !meant && (
          <form method="post" action="/logout">
            <input type="hidden" name="next" value={`/invitations/${token}`} />
            <Button type="submit" size="large" wide>
              {say('signOut.submit')}
            </Button>
          </form>
        )}
      </div>
    </AuthFrame>
  )
}

/** Returns the invitation of a link, or undefined if the link does not lead to a valid invitation. */
async function readOffer(token: string) {
  try {
    return await findInvitation(token)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/**
 * The page of a link without a valid invitation. For example, the invitation was accepted, was revoked, or
 * has expired.
 */
function DeadInvitation({ say, service }: { say: Say; service: string }) {
  return (
    <AuthMessage
      icon={Link2Off}
      tone="warning"
      title={say('invited.dead')}
      action={
        <ButtonLink href="/" size="large" wide>
          {say('form.start', { service })}
        </ButtonLink>
      }
    >
      <p>{say('invited.deadWhy')}</p>
    </AuthMessage>
  )
}
