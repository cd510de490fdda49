import { TextField } from '../ui/field'

/** Asks for the person's password before something that guards the account; nothing for those who have none. */
export function OwnPasswordField({ asked, error }: { asked: boolean; error?: string | undefined }) {
  if (!asked) return null
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      required
      autoComplete="current-password"
      hint="To make sure that it is you."
      error={error}
      className="w-full max-w-[360px]"
    />
  )
}
