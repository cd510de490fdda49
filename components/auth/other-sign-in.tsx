import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { EmailField, PasswordField } from './fields'
import { ProviderMark } from './providers'

/**
 * The form to start an SSO sign-in with an email address. The domain of the email address determines the SSO
 * connection.
 */
export function SsoForm({
  say,
  next,
  refused,
}: {
  say: Say
  next?: string | undefined
  refused?: RefusedForm | undefined
}) {
  const error = refused?.fields.email
  return (
    <form method="post" action="/login/sso/submit" className="grid gap-4">
      {refused?.message && !error && <Alert tone="danger" title={say.known(refused.message)} />}
      {next && <input type="hidden" name="next" value={next} />}
      <EmailField say={say} value={refused?.values.email} error={error} autoFocus />
      <Button type="submit" variant="primary" size="large" wide>
        {say('sso.submit')}
      </Button>
    </form>
  )
}

/**
 * A form that opens an identity provider, so that the user can connect an account there to their account on
 * this instance. `asksPassword`: whether the user must first enter the password of the account on this
 * instance.
 */
export function ConnectForm({
  say,
  service,
  provider,
  email,
  asksPassword,
  refused,
}: {
  say: Say
  /** The name of this service. */
  service: string
  provider: { id: string; name: string }
  email: string
  asksPassword: boolean
  refused?: RefusedForm | undefined
}) {
  const error = refused?.fields.password
  return (
    <form method="post" action="/login/connect/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <input type="hidden" name="provider" value={provider.id} />
      {asksPassword && (
        <>
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            say={say}
            label={say('connect.password', { service })}
            autoFocus
            error={error && say.known(error)}
          />
        </>
      )}
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        className="relative whitespace-normal px-11 text-center"
      >
        <ProviderMark id={provider.id} />
        {say('login.with', { provider: provider.name })}
      </Button>
    </form>
  )
}
