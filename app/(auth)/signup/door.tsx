import { readBrand } from '@/app/brand'
import { type DoorPage, one, refusedForm, withNext } from '@/app/door/door-page'
import { providerButtons } from '@/app/door/provider-buttons'
import { waitingFor } from '@/app/door/waiting-app'
import { NoSignUp } from '@/components/auth/no-sign-up'
import { SignInHeading } from '@/components/auth/sign-in-heading'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { DoorFrame } from '@/components/frame/door-frame'
import { NoOperator } from '@/components/frame/no-operator'
import { signUpDoor } from '@/lib/features/identity/people/sign-up-policy'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'

/** The same parameters as the login page. */
export const signup: DoorPage = {
  async show(visit) {
    const next = one(visit, 'next')
    const door = signUpDoor(next)
    const brand = readBrand()
    const { app, say } = await waitingFor(visit)
    const heading = app
      ? say('signup.headingApp', { app: app.name })
      : say('signup.heading', { service: brand.serviceName })
    const beside = (
      <>
        {say('signup.have')}{' '}
        <a href={withNext('/login', next)} className="text-link underline underline-offset-3">
          {say('login.submit')}
        </a>
        {(await lacksOperator()) && <NoOperator say={say} />}
      </>
    )
    return {
      say,
      title: say('signup.title'),
      page: (
        <DoorFrame brand={brand} say={say} logo={!app || door !== 'open'} beside={beside}>
          {door === 'open' ? (
            <>
              <SignInHeading say={say} brand={brand} app={app} title={heading}>
                {say('signup.lead')}
              </SignInHeading>
              <SignUpForm
                say={say}
                action="/signup/submit"
                next={next}
                refused={refusedForm(visit, say)}
                providers={providerButtons()}
              />
            </>
          ) : (
            <NoSignUp say={say} brand={brand} door={door} />
          )}
        </DoorFrame>
      ),
    }
  },
}
