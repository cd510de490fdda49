import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { type ProviderChoice, Providers } from './providers'

/** A new person: `refused` and `next` as for SignInForm. */
export function SignUpForm({
  action,
  next,
  refused,
  providers = [],
}: {
  action: string
  next?: string | undefined
  refused?: RefusedForm | undefined
  providers?: ProviderChoice[]
}) {
  return (
    <>
      <form method="post" action={action} className="grid gap-4">
        {refused?.message && <Alert tone="danger" title={refused.message} />}
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          scale="large"
          required
          maxLength={80}
          defaultValue={refused?.values.name}
          error={refused?.fields.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          scale="large"
          required
          defaultValue={refused?.values.email}
          error={refused?.fields.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          scale="large"
          required
          minLength={10}
          maxLength={200}
          hint="At least 10 characters. A few words are easier to remember than symbols."
          error={refused?.fields.password}
        />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          Create account
        </Button>
      </form>
      <Providers providers={providers} next={next} />
    </>
  )
}
