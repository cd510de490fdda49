import { readBrand } from '@/app/brand'
import { cookieHeader, type DoorPage, one, refusedForm } from '@/app/door/door-page'
import { waitingFor } from '@/app/door/waiting-app'
import { SecondStepForm } from '@/components/auth/second-step-form'
import { DoorFrame } from '@/components/frame/door-frame'
import { CardHeading } from '@/components/ui/card'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { findPendingSignIn, secondStepCookieName } from '@/lib/features/identity/two-factor/pending-sign-in'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'

/** The second step of a sign-in. There is no session yet; without a pending sign-in it begins again. */
export const secondStep: DoorPage = {
  async show(visit) {
    const next = one(visit, 'next')
    const pending = await findPendingSignIn(cookieValue(cookieHeader(visit), secondStepCookieName()))
    const back = signInPath(safeNext(next))
    if (!pending) return { to: back }
    const factors = await secondFactors(pending.userId)
    const { say } = await waitingFor(visit)
    const beside = (
      <>
        {say('verify.notYou', { email: pending.user.email })}{' '}
        <a href={back} className="text-link underline underline-offset-3">
          {say('verify.again')}
        </a>
      </>
    )
    return {
      say,
      title: say('verify.title'),
      page: (
        <DoorFrame brand={readBrand()} say={say} beside={beside}>
          <CardHeading title={say('verify.heading')}>{say('verify.lead')}</CardHeading>
          <SecondStepForm
            say={say}
            passkey={factors.passkeys > 0 && canUsePasskeys()}
            app={factors.totp}
            next={next}
            refused={refusedForm(visit, say)}
          />
        </DoorFrame>
      ),
    }
  },
}
