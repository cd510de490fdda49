'use client'
import { TextField } from '../ui/field'
import { useSay } from '../ui/use-say'

/**
 * The field for the user's password before a security-sensitive change. Renders nothing if `asked` is false.
 */
export function OwnPasswordField({ asked, error }: { asked: boolean; error?: string | undefined }) {
  const say = useSay()
  if (!asked) return null
  return (
    <TextField
      label={say('shared.password')}
      name="password"
      type="password"
      required
      autoComplete="current-password"
      hint={say('shared.confirmYou')}
      error={error}
      className="w-full max-w-[360px]"
    />
  )
}
