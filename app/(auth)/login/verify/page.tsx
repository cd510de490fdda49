import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { readBrand } from '@/app/brand'
import { SecondStepForm } from '@/components/auth/second-step-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { secondStepCookieName } from '@/lib/features/identity/browser-session/second-step-cookie'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/relying-party'
import { findPendingSignIn } from '@/lib/features/identity/two-factor/pending-sign-in'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import { type AuthSearchParams, readAuthParams } from '../../search-params'

export const metadata: Metadata = { title: 'Two-factor' }

/** The second step of a sign-in. There is no session yet; without a pending sign-in it begins again. */
export default async function SecondStepPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { next, refused } = await readAuthParams(searchParams)
  const pending = await findPendingSignIn((await cookies()).get(secondStepCookieName())?.value)
  const back = signInPath(safeNext(next))
  if (!pending) redirect(back)
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
        refused={refused}
      />
    </CardFrame>
  )
}
