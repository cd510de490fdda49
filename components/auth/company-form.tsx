import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'

/** Asks for the address by whose domain somebody's company is found. */
export function CompanyForm({
  say,
  next,
  refused,
}: {
  say: Say
  next?: string | undefined
  refused?: RefusedForm | undefined
}) {
  const error = refused?.fields.email
  return (
    <form method="post" action="/login/company/submit" className="grid gap-4">
      {refused?.message && !error && <Alert tone="danger" title={say.known(refused.message)} />}
      {next && <input type="hidden" name="next" value={next} />}
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
        {say('company.submit')}
      </Button>
    </form>
  )
}
