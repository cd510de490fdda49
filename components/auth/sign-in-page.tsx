import type { ComponentProps, ReactNode } from 'react'
import { CardHeading } from '@/components/ui/card'
import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { AuthFrame } from '../frame/auth-frame'
import { AppPair, type Brand } from '../frame/brand'
import { Alert } from '../ui/alert'
import type { LogoOwner } from '../ui/avatar'
import { Button } from '../ui/button'
import { EmailField, PasswordField } from './fields'
import { type ProviderChoice, Providers, WaySeparator } from './providers'
import { PasskeyForm } from './second-step-form'

/** The app that waits for the sign-in, and the path of the form that cancels the app's request. */
type Waiting = NonNullable<ComponentProps<typeof SignInHeading>['app']> & { cancelAction: string }

/**
 * Renders the sign-in page with the instance's branding. If an app waits for the sign-in, the page shows the
 * app and a button that returns to the app. `below` is shown below the card.
 */
export function SignInPage({
  brand,
  app,
  heading,
  below,
  ...form
}: ComponentProps<typeof SignInForm> & {
  brand: Brand
  app?: Waiting | undefined
  heading: string
  below?: ReactNode
}) {
  const { say } = form
  return (
    <AuthFrame brand={brand} say={say} logo={!app} below={below}>
      <SignInHeading say={say} brand={brand} app={app} title={heading} />
      <SignInForm {...form} />
      {app && <BackToApp say={say} app={app} />}
    </AuthFrame>
  )
}

/**
 * Shows the heading of the card, with `children` as the text below the heading. If an app waits for the
 * sign-in, shows the logos of the app and the instance, and a text with the app's name instead of `children`.
 */
export function SignInHeading({
  say,
  brand,
  app,
  title,
  children,
}: {
  say: Say
  brand: Brand
  app: (LogoOwner & { scopes: string[] }) | undefined
  title: string
  children?: string
}) {
  if (!app) return <CardHeading title={title}>{children}</CardHeading>
  const chooses = app.scopes.some((scope) => /^(workspace|project):/.test(scope))
  return (
    <>
      <div className="mb-4">
        <AppPair brand={brand} app={app} />
      </div>
      <CardHeading title={title}>
        {say(chooses ? 'login.leadChoose' : 'login.lead', { app: app.name, service: brand.serviceName })}
      </CardHeading>
    </>
  )
}

/**
 * Shows every available way to sign in: providers, a passkey, email and password in a plain form, and a link
 * to the SSO page. `refused` contains the errors and values of the rejected form. `next` is the path to open
 * after the sign-in. It is passed on unchecked, because the route that redirects to `next` checks it.
 */
export function SignInForm({
  say,
  action,
  next,
  refused,
  providers = [],
  passkey = false,
  forgot = false,
  sso,
}: {
  say: Say
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
  /** Whether passkeys work at the URL of this instance. */
  passkey?: boolean
  /** Whether a password reset link can be emailed. */
  forgot?: boolean
  /** The path of the SSO page; undefined if there is no SSO connection. */
  sso?: string | undefined
}) {
  const { fields, values, message } = refused ?? { fields: {}, values: {} }
  const { email } = values
  return (
    <div className="grid gap-5">
      {(providers.length > 0 || passkey) && (
        <div className="grid gap-2">
          <Providers providers={providers} next={next} say={say} />
          {passkey && (
            <PasskeyForm
              say={say}
              action="/login/passkey"
              options="/login/passkey/options"
              next={next}
              autofill
            >
              {say('login.passkey')}
            </PasskeyForm>
          )}
        </div>
      )}
      {(providers.length > 0 || passkey) && (
        <WaySeparator script={providers.length === 0}>{say('login.orEmail')}</WaySeparator>
      )}
      <form method="post" action={action} className="grid gap-4">
        {message && <Alert tone="danger" title={say.known(message)} />}
        {next && <input type="hidden" name="next" value={next} />}
        <EmailField
          say={say}
          autoComplete={passkey ? 'username webauthn' : 'username'}
          value={email}
          autoFocus={!email}
          error={fields.email}
        />
        <PasswordField
          say={say}
          label={say('login.password')}
          autoFocus={Boolean(email)}
          error={fields.password}
          aside={
            forgot && (
              <a href="/forgot-password" className="text-link underline underline-offset-3">
                {say('login.forgot')}
              </a>
            )
          }
        />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          {say('login.submit')}
        </Button>
      </form>
      {sso && (
        <p className="text-center text-sm">
          <a href={sso} className="text-link underline underline-offset-3">
            {say('login.sso')}
          </a>
        </p>
      )}
    </div>
  )
}

/**
 * The button that returns to the app without signing in. It posts a form, because the server must end the
 * app's authorization request.
 */
const BackToApp = ({ say, app }: { say: Say; app: { name: string; cancelAction: string } }) => (
  <form method="post" action={app.cancelAction} className="mt-5 text-center">
    <button
      type="submit"
      className="wrap-anywhere rounded-[3px] text-muted text-sm underline underline-offset-3"
    >
      {say('login.back', { app: app.name })}
    </button>
  </form>
)
