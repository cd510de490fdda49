import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { PasskeyForm } from './passkey-form'
import { type ProviderChoice, Providers } from './providers'

/**
 * E-mail and password, as a plain form to a route handler. `refused` is what the last try came back with. `next` is
 * carried along unchecked: the route that follows it checks it.
 */
export function SignInForm({
  action,
  next,
  refused,
  providers = [],
  passkey = false,
  forgot = false,
}: {
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
  /** Whether passkeys work at this address. */
  passkey?: boolean
  /** Whether a link for setting a new password can be mailed. */
  forgot?: boolean
}) {
  const email = refused?.values.email
  return (
    <>
      <form method="post" action={action} className="grid gap-4">
        {refused?.message && <Alert tone="danger" title={refused.message} />}
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete={passkey ? 'username webauthn' : 'username'}
          inputMode="email"
          scale="large"
          required
          defaultValue={refused?.values.email}
          autoFocus={!email}
          error={refused?.fields.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          scale="large"
          required
          autoFocus={Boolean(email)}
          error={refused?.fields.password}
        />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          Sign in
        </Button>
        {forgot && (
          <a
            href="/forgot-password"
            className="justify-self-center text-muted text-sm underline underline-offset-3"
          >
            Forgot your password?
          </a>
        )}
      </form>
      {passkey && (
        <div className="mt-4 border-t pt-4">
          <PasskeyForm action="/login/passkey" options="/login/passkey/options" next={next} autofill>
            Use a passkey
          </PasskeyForm>
        </div>
      )}
      <Providers providers={providers} next={next} />
    </>
  )
}
