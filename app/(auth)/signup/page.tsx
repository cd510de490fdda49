import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { CardFrame, CardHeading } from '@/components/frame/card-frame'
import { NoOperator } from '@/components/frame/no-operator'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'
import { providerButtons } from '../provider-buttons'
import { type AuthSearchParams, readAuthParams, withNext } from '../search-params'

export const metadata: Metadata = { title: 'Create an account' }

/** The same parameters as the login page. */
export default async function SignupPage({ searchParams }: { searchParams: AuthSearchParams }) {
  const { next, refused } = await readAuthParams(searchParams)
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
      <SignUpForm action="/signup/submit" next={next} refused={refused} providers={providers} />
    </CardFrame>
  )
}
