import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, sayTo, sessionOf } from '@/app/door/door-page'
import { ConnectForm } from '@/components/auth/other-sign-in'
import { DoorFrame } from '@/components/frame/door-frame'
import { CardHeading } from '@/components/ui/card'
import { TextAnchor } from '@/components/ui/text-anchor'
import { signInPath } from '@/lib/base/http/safe-next'
import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import { hasPassword } from '@/lib/features/identity/people/password'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'

const ownPage = '/account/security'

/** `?provider=`: before somebody who is signed in leaves for an identity provider, to connect their account there with theirs here. */
export const connect: DoorPage = {
  async show(visit) {
    const provider = signInProviders().find(({ id }) => id === one(visit, 'provider'))
    const session = await sessionOf(visit)
    if (!session) return { to: signInPath(ownPage) }
    if (!provider) return { to: ownPage }
    const say = sayTo(visit)
    const brand = readBrand()
    const title = say('connect.title', { provider: provider.label })
    const [owned, confirmed] = await Promise.all([hasPassword(session.actor), confirmedLately(session.actor)])
    return {
      say,
      title,
      page: (
        <DoorFrame
          brand={brand}
          say={say}
          beside={
            <TextAnchor href={ownPage} className="text-muted">
              {say('connect.back')}
            </TextAnchor>
          }
        >
          <CardHeading title={title}>
            {say('connect.why', {
              service: brand.serviceName,
              email: session.person.email,
            })}
          </CardHeading>
          <ConnectForm
            say={say}
            provider={{ id: provider.id, name: provider.label }}
            email={session.person.email}
            asksPassword={owned && !confirmed}
            refused={refusedForm(visit, say)}
          />
        </DoorFrame>
      ),
    }
  },
}
