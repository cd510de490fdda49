import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'

/** Asks for the address that a link is mailed to. */
export function ForgotPasswordForm({ refused }: { refused?: RefusedForm | undefined }) {
  return (
    <form method="post" action="/forgot-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={refused.message} />}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        scale="large"
        required
        autoFocus
        defaultValue={refused?.values.email}
        error={refused?.fields.email}
      />
      <Button type="submit" variant="primary" size="large" wide>
        Send link
      </Button>
    </form>
  )
}
