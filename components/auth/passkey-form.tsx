import { KeyRound } from 'lucide-react'
import { Button, type ButtonLook } from '../ui/button'

/**
 * A button that signs in by passkey. `/passkey.js` (components/page-scripts) runs the browser's dialogue and sends the form; without a script the
 * button is not there. `options` is where the script gets the challenge. With `autofill` the browser also offers the
 * passkeys in a field of the page whose `autocomplete` ends in `webauthn`.
 */
export function PasskeyForm({
  action,
  options,
  next,
  autofill = false,
  variant = 'secondary',
  children,
}: {
  action: string
  options: string
  next?: string | undefined
  autofill?: boolean
  variant?: ButtonLook['variant']
  children: string
}) {
  return (
    <form
      method="post"
      action={action}
      data-passkey={options}
      data-passkey-autofill={autofill ? '' : undefined}
      className="needs-script grid gap-2"
    >
      <input type="hidden" name="response" />
      {next && <input type="hidden" name="next" value={next} />}
      <Button type="submit" size="large" wide variant={variant}>
        <KeyRound aria-hidden /> {children}
      </Button>
      <p data-passkey-note role="alert" hidden className="text-[13px] text-danger" />
      <script src="/passkey.js" defer />
    </form>
  )
}
