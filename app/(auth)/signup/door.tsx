import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, withNext } from '@/app/door/door-page'
import { providerButtons } from '@/app/door/provider-buttons'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { NoOperator } from '@/components/frame/no-operator'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'

/** The same parameters as the login page. */
export const signup: DoorPage = {
  title: 'Create an account',
  async show(visit) {
    const next = one(visit, 'next')
    const brand = readBrand()
    const providers = providerButtons()
    const beside = (
      <>
        Have an account?{' '}
        <a href={withNext('/login', next)} className="text-link underline underline-offset-3">
          Sign in
        </a>
        {(await lacksOperator()) && <NoOperator />}
      </>
    )
    return (
      <CardFrame brand={brand} beside={beside}>
        <CardHeading title={`Create your ${brand.serviceName} account`}>
          You get a workspace of your own to start with.
        </CardHeading>
        <SignUpForm action="/signup/submit" next={next} refused={refusedForm(visit)} providers={providers} />
      </CardFrame>
    )
  },
}
