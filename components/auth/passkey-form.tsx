import { Fingerprint } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { Button, type ButtonLook } from '../ui/button'

/**
 * A button that signs in by passkey. `/passkey.js` (components/page-scripts) runs the browser's dialogue and sends the form; without a script the
 * button is not there. `options` is where the script gets the challenge. With `autofill` the browser also offers the
 * passkeys in a field of the page whose `autocomplete` ends in `webauthn`.
 */
export function PasskeyForm({
  say,
  action,
  options,
  next,
  autofill = false,
  variant = 'secondary',
  children,
}: {
  say: Say
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
      data-passkey-unused={say('passkey.unused')}
      data-passkey-address={say('passkey.address')}
      data-passkey-unknown={say('passkey.unknown')}
      className="needs-script grid gap-2"
    >
      <input type="hidden" name="response" />
      {next && <input type="hidden" name="next" value={next} />}
      <Button
        type="submit"
        size="large"
        wide
        variant={variant}
        className="relative justify-start whitespace-normal ps-11 text-start"
      >
        <Fingerprint aria-hidden className="absolute start-3.5 size-[18px]!" />
        {children}
      </Button>
      <p data-passkey-note role="alert" hidden className="text-[13px] text-danger" />
      <script src="/passkey.js" defer />
    </form>
  )
}
