import type { Say } from '@/lib/base/language/say'
import { CardHeading } from '../frame/card-heading'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { HiddenFields } from '../ui/hidden-fields'
import { Input } from '../ui/input'

/**
 * Where a person types the code that a device or command line shows. `code` fills the field when the address brought
 * one; `error` says why a code was refused, `formError` what else went wrong. Posts `user_code` and `fields`.
 */
export function DeviceCodeForm({
  say,
  action,
  code,
  error,
  formError,
  fields,
}: {
  say: Say
  action: string
  code?: string | undefined
  error?: string | undefined
  formError?: string | undefined
  fields?: Record<string, string>
}) {
  return (
    <>
      <CardHeading title={say('device.title')}>{say('device.lead')}</CardHeading>
      <form method="post" action={action} className="grid gap-4">
        <HiddenFields fields={fields} />
        {formError && <Alert tone="danger" title={formError} />}
        <Field label={say('device.code')} error={error} hint={say('device.caution')}>
          {(control) => (
            <Input
              {...control}
              name="user_code"
              required
              defaultValue={code}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={20}
              placeholder="XXXX-XXXX"
              autoFocus
              scale="large"
              dir="ltr"
              className="h-14 text-center font-mono text-xl uppercase tracking-[0.16em]"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="large" wide>
          {say('device.submit')}
        </Button>
      </form>
    </>
  )
}
