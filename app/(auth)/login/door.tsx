import { readBrand } from '@/app/brand'
import { type DoorPage, one, owesFactor, refusedForm, withNext } from '@/app/door/door-page'
import { providerButtons } from '@/app/door/provider-buttons'
import { waitingFor } from '@/app/door/waiting-app'
import { SignInPage } from '@/components/auth/sign-in-page'
import { NoOperator } from '@/components/frame/message-card'
import { safeNext, secondFactorPath } from '@/lib/base/http/safe-next'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { hasDoors } from '@/lib/features/company-access/company-door'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import { signUpDoor } from '@/lib/features/identity/people/sign-up-policy'
import { lacksOperator } from '@/lib/features/operator/read-instance'

/**
 * `?next=` is where the person goes afterwards; after `?error=` the form says what was wrong. Every way in leads here, so here is
 * where somebody who only owes a second factor is sent on to set it up.
 */
export const login: DoorPage = {
  async show(visit) {
    const next = one(visit, 'next')
    if (await owesFactor(visit)) return { to: secondFactorPath(safeNext(next)) }
    const brand = readBrand()
    const { app, say } = await waitingFor(visit)
    const heading = app
      ? say('login.headingApp', { app: app.name })
      : say('login.heading', { service: brand.serviceName })
    const beside = (
      <>
        {signUpDoor(next) === 'open' && (
          <>
            {say('login.new')}{' '}
            <a href={withNext('/signup', next)} className="text-link underline underline-offset-3">
              {say('login.create')}
            </a>
          </>
        )}
        {(await lacksOperator()) && <NoOperator say={say} />}
      </>
    )
    return {
      say,
      title: app ? heading : say('login.title'),
      page: (
        <SignInPage
          say={say}
          brand={brand}
          app={app}
          heading={heading}
          beside={beside}
          action="/login/submit"
          next={next}
          refused={refusedForm(visit, say)}
          providers={providerButtons()}
          passkey={canUsePasskeys()}
          forgot={canSendMail()}
          company={(await hasDoors()) ? withNext('/login/company', next) : undefined}
        />
      ),
    }
  },
}
