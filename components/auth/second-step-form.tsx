import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button, type ButtonLook } from '../ui/button'
import { TextField } from '../ui/field'
import { Fingerprint } from '../ui/icon'
import { WaySeparator } from './providers'

/**
 * The forms for the second step of a sign-in. The user can use a passkey, a code from an authenticator app,
 * or a recovery code. The passkey and the authenticator app are offered only to users who have one.
 */
export function SecondStepForm({
  say,
  passkey,
  app,
  next,
  refused,
}: {
  say: Say
  /** Whether the user has a passkey, and passkeys work at the URL of this instance. */
  passkey: boolean
  /** Whether the user has an authenticator app. If not, the code field accepts only a recovery code. */
  app: boolean
  next?: string | undefined
  refused?: RefusedForm | undefined
}) {
  const error = refused?.fields.code
  return (
    <div className="grid gap-5">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      {passkey && (
        <>
          <PasskeyForm
            say={say}
            action="/login/verify/passkey"
            options="/login/verify/options"
            next={next}
            variant="primary"
          >
            {say('login.passkey')}
          </PasskeyForm>
          <WaySeparator script>{say('verify.or')}</WaySeparator>
        </>
      )}
      <form method="post" action="/login/verify/submit" className="grid gap-4">
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label={say(app ? 'verify.code' : 'verify.recoveryCode')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          scale="large"
          required
          maxLength={64}
          autoFocus={!passkey}
          className="tabular-nums"
          hint={say(app ? 'verify.hint' : 'verify.recoveryHint')}
          error={error && say.known(error)}
        />
        <Button type="submit" variant={passkey ? 'secondary' : 'primary'} size="large" wide>
          {say('verify.submit')}
        </Button>
      </form>
    </div>
  )
}

/**
 * The form to sign in with a passkey. When the user presses the button, `/passkey.js`
 * (components/page-scripts) requests a challenge from the path `options`, opens the browser's dialog, and
 * submits the form. Without JavaScript, the form is hidden. With `autofill`, the browser also offers passkeys
 * in a field with an `autocomplete` that ends in `webauthn`.
 */
export function PasskeyForm({
  say,
  action,
  options,
  next,
  autofill = false,
  variant = 'secondary',
  children,
}: {
  say: Say
  action: string
  options: string
  next?: string | undefined
  autofill?: boolean
  variant?: ButtonLook['variant']
  children: string
}) {
  return (
    <form
      method="post"
      action={action}
      data-passkey={options}
      data-passkey-autofill={autofill ? '' : undefined}
      data-passkey-unused={say('passkey.unused')}
      data-passkey-address={say('passkey.address')}
      data-passkey-unknown={say('passkey.unknown')}
      className="needs-script grid gap-2"
    >
      <input type="hidden" name="response" />
      {next && <input type="hidden" name="next" value={next} />}
      <Button
        type="submit"
        size="large"
        wide
        variant={variant}
        className="relative justify-start whitespace-normal ps-11 text-start"
      >
        <Fingerprint className="absolute start-3.5 size-[18px]" />
        {children}
      </Button>
      <p data-passkey-note role="alert" hidden className="text-[13px] text-danger" />
      <script src="/passkey.js" defer />
    </form>
  )
}
