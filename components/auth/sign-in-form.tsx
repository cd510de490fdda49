import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextField } from '../ui/field'
import { authMessage } from './messages'
import { type ProviderChoice, Providers } from './providers'

/**
 * E-mail and password, as a plain form to a route handler. `error` is a code of messages.ts; what was typed comes
 * back as `email`, the password never. `next` is carried along unchecked: the route that follows it checks it.
 */
export function SignInForm({
  action,
  next,
  error,
  email,
  providers = [],
}: {
  action: string
  next?: string | undefined
  error?: string | undefined
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
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          scale="large"
          required
          defaultValue={email}
          // biome-ignore lint/a11y/noAutofocus: signing in is all this page is for
          autoFocus={!email}
          error={problem('email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          scale="large"
          required
          // biome-ignore lint/a11y/noAutofocus: the address is known, the password is what is missing
          autoFocus={Boolean(email)}
          error={problem('password')}
        />
        <Button type="submit" variant="primary" size="large" wide className="mt-1">
          Sign in
        </Button>
      </form>
      <Providers providers={providers} next={next} />
    </>
  )
}
