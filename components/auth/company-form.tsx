import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { EmailField } from './email-field'

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
      <EmailField say={say} value={refused?.values.email} error={error} autoFocus />
      <Button type="submit" variant="primary" size="large" wide>
        {say('company.submit')}
      </Button>
    </form>
  )
}
