import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { PasskeyForm } from './passkey-form'
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
