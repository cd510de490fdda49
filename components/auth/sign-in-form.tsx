import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { EmailField } from './email-field'
import { PasskeyForm } from './passkey-form'
import { PasswordField } from './password-field'
import { Or, type ProviderChoice, Providers } from './providers'

/**
 * Every way to sign in: other services, a passkey, and e-mail with password as a plain form to a route handler. `refused` is
 * what the last try came back with. `next` is carried along unchecked: the route that follows it checks it.
 */
export function SignInForm({
  say,
  action,
  next,
  refused,
  providers = [],
  passkey = false,
  forgot = false,
  company,
}: {
  say: Say
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
  /** Whether passkeys work at this address. */
  passkey?: boolean
  /** Whether a link for setting a new password can be mailed. */
  forgot?: boolean
  /** Where people of companies sign in through their own service; none where no company does. */
  company?: string | undefined
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
      {(providers.length > 0 || passkey) && <Or script={providers.length === 0}>{say('login.orEmail')}</Or>}
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
      {company && (
        <p className="text-center text-sm">
          <a href={company} className="text-link underline underline-offset-3">
            {say('login.company')}
          </a>
        </p>
      )}
    </div>
  )
}
