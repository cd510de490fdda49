import type { Say } from '@/lib/base/language/say'
import { TextField } from '../ui/field'

/** The address of somebody at the door, as a browser or password manager knows it. `error` is a key of the catalogue. */
export function EmailField({
  say,
  value,
  error,
  autoComplete = 'username',
  autoFocus,
}: {
  say: Say
  value?: string | undefined
  error?: string | undefined
  autoComplete?: 'username' | 'username webauthn'
  autoFocus?: boolean
}) {
  return (
    <TextField
      label={say('login.email')}
      name="email"
      type="email"
      autoComplete={autoComplete}
      inputMode="email"
      scale="large"
      required
      autoFocus={autoFocus}
      defaultValue={value}
      error={error && say.known(error)}
    />
  )
}
