import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { EmailField } from './email-field'

/** Asks for the address that a link is mailed to. */
export function ForgotPasswordForm({ say, refused }: { say: Say; refused?: RefusedForm | undefined }) {
  return (
    <form method="post" action="/forgot-password/submit" className="grid gap-4">
      {refused?.message && <Alert tone="danger" title={say.known(refused.message)} />}
      <EmailField say={say} value={refused?.values.email} error={refused?.fields.email} autoFocus />
      <Button type="submit" variant="primary" size="large" wide>
        {say('forgot.submit')}
      </Button>
    </form>
  )
}
