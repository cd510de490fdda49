import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'

/** Asks for the address that a link is mailed to. */
export function ForgotPasswordForm({ say, refused }: { say: Say; refused?: RefusedForm | undefined }) {
  const error = refused?.fields.email
  return (
    <form method="post" action="/forgot-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <TextField
        label={say('login.email')}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        scale="large"
        required
        autoFocus
        defaultValue={refused?.values.email}
        error={error && say.known(error)}
      />
      <Button type="submit" variant="primary" size="large" wide>
        {say('forgot.submit')}
      </Button>
    </form>
  )
}
