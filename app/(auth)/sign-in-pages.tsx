import {
  type AuthPage,
  cookieHeader,
  owesTwoFactor,
  providerButtons,
  queryValue,
  refusedForm,
  sessionOf,
  translatorForVisitor,
  waitingApp,
  withNext,
} from '@/app/auth-pages/auth-page'
import { readBrand } from '@/app/brand'
import { ConnectForm, SsoForm } from '@/components/auth/other-sign-in'
import { SecondStepForm } from '@/components/auth/second-step-form'
import { SignInPage } from '@/components/auth/sign-in-page'
import { AuthFrame } from '@/components/frame/auth-frame'
import { NoInstanceAdmin } from '@/components/frame/message-card'
import { TextAnchor } from '@/components/ui/button'
import { CardHeading } from '@/components/ui/card'
import { safeNext, signInPath, twoFactorPath } from '@/lib/base/http/safe-next'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { findPendingSignIn, secondStepCookieName } from '@/lib/features/identity/two-factor/pending-sign-in'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import { hasPassword } from '@/lib/features/identity/users/password'
import { signUpAccess } from '@/lib/features/identity/users/sign-up-policy'
import { lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'
import { hasSsoConnections } from '@/lib/features/sso/sso-connection'

/**
 * The sign-in page. `?next=` is the path to continue to, and `?error=` is the error code of the last failed
 * attempt. A signed-in user who must set up two-factor authentication has no valid session, so other pages
 * redirect here. This page then redirects to the setup.
 */
export const signInPage: AuthPage = {
  async show(visit) {
    const next = queryValue(visit, 'next')
    if (await owesTwoFactor(visit)) return { to: twoFactorPath(safeNext(next)) }
    const brand = readBrand()
    const { app, say } = await waitingApp(visit)
    const heading = app
      ? say('login.headingApp', { app: app.name })
      : say('login.heading', { service: brand.serviceName })
    const below = (
      <>
        {signUpAccess(next) === 'open' && (
          <>
            {say('login.new')}{' '}
            <a href={withNext('/signup', next)} className="text-link underline underline-offset-3">
              {say('login.create')}
            </a>
          </>
        )}
        {(await lacksInstanceAdmin()) && <NoInstanceAdmin say={say} />}
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
          below={below}
          action="/login/submit"
          next={next}
          refused={refusedForm(visit, say)}
          providers={providerButtons(visit)}
          passkey={canUsePasskeys()}
          forgot={canSendMail()}
          sso={(await hasSsoConnections()) ? withNext('/login/sso', next) : undefined}
        />
      ),
    }
  },
}

/**
 * The SSO page, which requests an email address. The domain of the email address determines which SSO
 * connection is used. `?next=` is the path to continue to.
 */
export const ssoSignInPage: AuthPage = {
  async show(visit) {
    const say = translatorForVisitor(visit)
    const next = queryValue(visit, 'next')
    const page = (
      <AuthFrame brand={readBrand()} say={say}>
        <CardHeading title={say('login.sso')}>{say('sso.lead')}</CardHeading>
        <SsoForm say={say} next={next} refused={refusedForm(visit, say)} />
        <p className="mt-4 text-center text-muted text-sm">
          <TextAnchor href={withNext('/login', next)} className="text-muted">
            {say('sso.back')}
          </TextAnchor>
        </p>
      </AuthFrame>
    )
    return { say, title: say('login.sso'), page }
  },
}

/**
 * The second step of a sign-in, before a session exists. Without a pending sign-in, the page redirects to the
 * sign-in page.
 */
export const secondStepPage: AuthPage = {
  async show(visit) {
    const next = queryValue(visit, 'next')
    const pending = await findPendingSignIn(cookieValue(cookieHeader(visit), secondStepCookieName()))
    const back = signInPath(safeNext(next))
    if (!pending) return { to: back }
    const factors = await twoFactorMethods(pending.userId)
    const { say } = await waitingApp(visit)
    const below = (
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
        <AuthFrame brand={readBrand()} say={say} below={below}>
          <CardHeading title={say('verify.heading')}>{say('verify.lead')}</CardHeading>
          <SecondStepForm
            say={say}
            passkey={factors.passkeys > 0 && canUsePasskeys()}
            app={factors.totp}
            next={next}
            refused={refusedForm(visit, say)}
          />
        </AuthFrame>
      ),
    }
  },
}

const securityPath = '/account/security'

/**
 * The page on which a signed-in user confirms that an account at an identity provider will be connected.
 * `?provider=` is the ID of the provider. Visitors without a session are redirected to the sign-in page. If
 * no configured provider has this ID, the user is redirected to the security page.
 */
export const connectPage: AuthPage = {
  async show(visit) {
    const provider = signInProviders().find(({ id }) => id === queryValue(visit, 'provider'))
    const session = await sessionOf(visit)
    if (!session) return { to: signInPath(securityPath) }
    if (!provider) return { to: securityPath }
    const say = translatorForVisitor(visit)
    const brand = readBrand()
    const title = say('connect.title', { provider: provider.label })
    const [owned, confirmed] = await Promise.all([hasPassword(session.actor), confirmedLately(session.actor)])
    return {
      say,
      title,
      page: (
        <AuthFrame
          brand={brand}
          say={say}
          below={
            <TextAnchor href={securityPath} className="text-muted">
              {say('connect.back')}
            </TextAnchor>
          }
        >
          <CardHeading title={title}>
            {say('connect.why', {
              service: brand.serviceName,
              email: session.user.email,
            })}
          </CardHeading>
          <ConnectForm
            say={say}
            service={brand.serviceName}
            provider={{ id: provider.id, name: provider.label }}
            email={session.user.email}
            asksPassword={owned && !confirmed}
            refused={refusedForm(visit, say)}
          />
        </AuthFrame>
      ),
    }
  },
}
