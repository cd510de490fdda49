import { readBrand } from '@/app/brand'
import { cookieHeader, type DoorPage, one, refusedForm } from '@/app/door/door-page'
import { SecondStepForm } from '@/components/auth/second-step-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { secondStepCookieName } from '@/lib/features/identity/browser-session/second-step-cookie'
import { cookieValue } from '@/lib/features/identity/browser-session/session-cookie'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/relying-party'
import { findPendingSignIn } from '@/lib/features/identity/two-factor/pending-sign-in'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'

/** The second step of a sign-in. There is no session yet; without a pending sign-in it begins again. */
export const secondStep: DoorPage = {
  title: 'Two-factor',
  async show(visit) {
    const next = one(visit, 'next')
    const pending = await findPendingSignIn(cookieValue(cookieHeader(visit), secondStepCookieName()))
    const back = signInPath(safeNext(next))
    if (!pending) return { to: back }
    const factors = await secondFactors(pending.userId)
    const beside = (
      <>
        Not {pending.user.email}?{' '}
        <a href={back} className="text-link underline underline-offset-3">
          Sign in again
        </a>
      </>
    )
    return (
      <CardFrame brand={readBrand()} beside={beside}>
        <CardHeading title="Confirm that it is you">
          Your account asks for a second step after the password.
        </CardHeading>
        <SecondStepForm
          passkey={factors.passkeys > 0 && canUsePasskeys()}
          app={factors.totp}
          next={next}
          refused={refusedForm(visit)}
        />
      </CardFrame>
    )
  },
}
