import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, withNext } from '@/app/door/door-page'
import { providerButtons } from '@/app/door/provider-buttons'
import { SignInForm } from '@/components/auth/sign-in-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { NoOperator } from '@/components/frame/no-operator'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/relying-party'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'

/** `?next=` is where the person goes afterwards; after `?error=` the form says what was wrong. */
export const login: DoorPage = {
  title: 'Sign in',
  async show(visit) {
    const next = one(visit, 'next')
    const brand = readBrand()
    const providers = providerButtons()
    const beside = (
      <>
        New here?{' '}
        <a href={withNext('/signup', next)} className="text-link underline underline-offset-3">
          Create an account
        </a>
        {(await lacksOperator()) && <NoOperator />}
      </>
    )
    return (
      <CardFrame brand={brand} beside={beside}>
        <CardHeading title={`Sign in to ${brand.serviceName}`} />
        <SignInForm
          action="/login/submit"
          next={next}
          refused={refusedForm(visit)}
          providers={providers}
          passkey={canUsePasskeys()}
          forgot={canSendMail()}
        />
      </CardFrame>
    )
  },
}
