import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { PasswordField } from './password-field'

/** Sets a new password by a mailed link, whose token it carries. `email` tells a password manager whose it is. */
export function ResetPasswordForm({
  say,
  token,
  email,
  refused,
}: {
  say: Say
  token: string
  email: string
  refused?: RefusedForm | undefined
}) {
  return (
    <form method="post" action="/reset-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <input type="hidden" name="token" value={token} />
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        say={say}
        label={say('reset.password')}
        rated
        autoFocus
        error={refused?.fields.password}
      />
      <Button type="submit" variant="primary" size="large" wide>
        {say('reset.submit')}
      </Button>
    </form>
  )
}
