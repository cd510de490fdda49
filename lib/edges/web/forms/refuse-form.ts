import type { AppError } from '@/lib/base/errors/app-error'
import type { FormFields } from '@/lib/base/http/body'
import type { RefusedForm } from './form-state'
import { withoutSecrets } from './without-secrets'

/**
 * What a form is shown with after it was refused, whichever way it was sent: what was wrong, at its fields or, where it
 * belongs to none of them, over the whole; and everything that had been typed but secrets.
 */
export function refuseForm({ details, message }: AppError, input: FormFields): RefusedForm {
  const fields = details.fields ?? {}
  const values = withoutSecrets(input)
  return Object.keys(fields).length > 0 ? { fields, values } : { fields, values, message }
}
