import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { authMessage } from './messages'
import { type ProviderChoice, Providers } from './providers'

/** A new person: see SignInForm for what `error` and `next` mean. Name and e-mail come back when refused. */
export function SignUpForm({
  action,
  next,
  error,
  name,
  email,
  providers = [],
}: {
  action: string
  next?: string | undefined
  error?: string | undefined
  name?: string | undefined
  email?: string | undefined
  providers?: ProviderChoice[]
}) {
  const message = authMessage(error)
  const problem = (field: string) => (message?.field === field ? message.text : undefined)
  return (
    <>
      <form method="post" action={action} className="grid gap-4">
        {message && !message.field && <Alert tone="danger" title={message.text} />}
        {next && <input type="hidden" name="next" value={next} />}
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          scale="large"
          required
          maxLength={80}
          defaultValue={name}
          error={problem('name')}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          scale="large"
          required
          defaultValue={email}
          error={problem('email')}
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
          error={problem('password')}
        />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          Create account
        </Button>
      </form>
      <Providers providers={providers} next={next} />
    </>
  )
}
