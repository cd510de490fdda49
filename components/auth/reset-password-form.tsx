import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'

/** Sets a new password by a mailed link, whose token it carries. `email` tells a password manager whose it is. */
export function ResetPasswordForm({
  token,
  email,
  refused,
}: {
  token: string
  email: string
  refused?: RefusedForm | undefined
}) {
  return (
    <form method="post" action="/reset-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={refused.message} />}
      <input type="hidden" name="token" value={token} />
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        scale="large"
        required
        minLength={10}
        autoFocus
        hint="At least 10 characters. A few words are easier to remember than symbols."
        error={refused?.fields.password}
      />
      <Button type="submit" variant="primary" size="large" wide>
        Set password
      </Button>
    </form>
  )
}
