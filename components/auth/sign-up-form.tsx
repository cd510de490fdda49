import type { Say } from '@/lib/base/language/say'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { PasswordField } from './password-field'
import { Or, type ProviderChoice, Providers } from './providers'

/** A new person: `refused` and `next` as for SignInForm. */
export function SignUpForm({
  say,
  action,
  next,
  refused,
  providers = [],
}: {
  say: Say
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
}) {
  const { fields, values, message } = refused ?? { fields: {}, values: {} }
  return (
    <div className="grid gap-5">
      {providers.length > 0 && (
        <>
          <div className="grid gap-2">
            <Providers providers={providers} next={next} say={say} />
          </div>
          <Or>{say('login.orEmail')}</Or>
        </>
      )}
      <form method="post" action={action} className="grid gap-4">
        {message && <Alert tone="danger" title={say.known(message)} />}
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label={say('signup.name')}
          name="name"
          autoComplete="name"
          scale="large"
          required
          maxLength={80}
          defaultValue={values.name}
          error={fields.name && say.known(fields.name)}
        />
        <TextField
          label={say('login.email')}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          scale="large"
          required
          defaultValue={values.email}
          error={fields.email && say.known(fields.email)}
        />
        <PasswordField say={say} label={say('login.password')} rated error={fields.password} />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          {say('signup.submit')}
        </Button>
      </form>
    </div>
  )
}
