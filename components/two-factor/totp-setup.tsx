'use client'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { useSay } from '../ui/use-say'
import { ValueField } from '../ui/value-field'

/** A secret that an authenticator app is to take over: as text, and as a QR code (a data: address). */
export type WaitingTotp = { secret: string; qrCode: string }

/** Scan, then type the first code. */
export function TotpSetup({
  waiting,
  state,
  action,
}: {
  waiting: WaitingTotp
  state: FormState<unknown>
  action: (form: FormData) => void
}) {
  const say = useSay()
  return (
    <div className="grid items-start gap-6 sm:grid-cols-[auto_minmax(0,1fr)]">
      {/* biome-ignore lint/performance/noImgElement: a data: address has nothing to optimise */}
      <img
        src={waiting.qrCode}
        alt={say('totp.qrCode')}
        width={184}
        height={184}
        className="rounded-control border bg-white p-2"
      />
      <div className="grid gap-5">
        <p>{say('totp.scan')}</p>
        <ValueField
          label={say('totp.key')}
          copy={say('totp.copyKey')}
          value={waiting.secret.replace(/(.{4})(?=.)/g, '$1 ')}
        />
        <form action={action} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          <TextField
            label={say('totp.code')}
            name="code"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            placeholder="123456"
            className="w-40"
            error={state.fields.code}
          />
          <SubmitButton>{say('totp.confirm')}</SubmitButton>
        </form>
      </div>
    </div>
  )
}
