import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { PasskeyForm } from './passkey-form'

/** What a person owes after the password: a passkey, or a code from the authenticator app or the list kept for the day. */
export function SecondStepForm({
  passkey,
  app,
  next,
  refused,
}: {
  /** Whether the person has a passkey that works here. */
  passkey: boolean
  /** Whether the person has an authenticator app; without one the code is a recovery code. */
  app: boolean
  next?: string | undefined
  refused?: RefusedForm | undefined
}) {
  return (
    <div className="grid gap-5">
      {refused?.message && <Alert tone="danger" title={refused.message} />}
      {passkey && (
        <>
          <PasskeyForm
            action="/login/verify/passkey"
            options="/login/verify/options"
            next={next}
            variant="primary"
          >
            Use a passkey
          </PasskeyForm>
          <p className="needs-script flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
            or
          </p>
        </>
      )}
      <form method="post" action="/login/verify/submit" className="grid gap-4">
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label={app ? 'Code' : 'Recovery code'}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          scale="large"
          required
          maxLength={64}
          autoFocus={!passkey}
          className="tabular-nums"
          hint={
            app
              ? 'Six digits from your authenticator app, or one of your recovery codes.'
              : 'One of the codes you stored when you set up two-factor.'
          }
          error={refused?.fields.code}
        />
        <Button type="submit" variant={passkey ? 'secondary' : 'primary'} size="large" wide>
          Continue
        </Button>
      </form>
    </div>
  )
}
