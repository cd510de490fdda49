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
      hint="Confirm it’s you. We won’t ask again for 10 minutes."
      error={error}
      className="w-full max-w-[360px]"
    />
  )
}
