import { Fingerprint } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button, type ButtonLook } from '../ui/button'
import { TextField } from '../ui/field'
import { Or } from './providers'

/** What a person owes after the password: a passkey, or a code from the authenticator app or the list kept for the day. */
export function SecondStepForm({
  say,
  passkey,
  app,
  next,
  refused,
}: {
  say: Say
  /** Whether the person has a passkey that works here. */
  passkey: boolean
  /** Whether the person has an authenticator app; without one the code is a recovery code. */
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
          <Or script>{say('verify.or')}</Or>
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
 * A button that signs in by passkey. `/passkey.js` (components/page-scripts) runs the browser's dialogue and sends the form; without a script the
 * button is not there. `options` is where the script gets the challenge. With `autofill` the browser also offers the
 * passkeys in a field of the page whose `autocomplete` ends in `webauthn`.
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
        <Fingerprint aria-hidden className="absolute start-3.5 size-[18px]!" />
        {children}
      </Button>
      <p data-passkey-note role="alert" hidden className="text-[13px] text-danger" />
      <script src="/passkey.js" defer />
    </form>
  )
}
