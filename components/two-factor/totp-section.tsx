'use client'

import type { FormAction, FormState } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { ActionButton, ConfirmAction, reasonIn } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { TextField } from '../ui/field'
import { Smartphone } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { useSay } from '../ui/use-say'
import { ValueField } from '../ui/value-field'
import { OwnPasswordField } from './own-password-field'
import { RecoveryCodesOnce } from './recovery-codes'

type Actions = {
  begin: FormAction
  cancel: FormAction
  confirm: FormAction<{ recoveryCodes: string[] }>
  remove: FormAction
}

/**
 * Lets the user set up an authenticator app, confirm it with a first code, and remove it. All steps are in
 * one component, so that the recovery codes stay visible after the first confirmation.
 */
export function TotpSection({
  active,
  waiting,
  asksPassword,
  serviceName,
  actions,
}: {
  active: boolean
  /**
   * The new secret until the user confirms it with a first code; undefined if no new secret waits for a code.
   */
  waiting: WaitingTotp | undefined
  asksPassword: boolean
  serviceName: string
  actions: Actions
}) {
  const say = useSay()
  const [begun, begin] = useFormAction(actions.begin)
  const [confirmed, confirm] = useFormAction(actions.confirm)
  const removal = (
    <ConfirmAction
      trigger={say('shared.remove')}
      triggerLook={{ size: 'small' }}
      triggerLabel={say('totp.remove')}
      title={say('totp.removeAsk')}
      confirmLabel={say('totp.remove')}
      done={say('totp.removed')}
      action={actions.remove}
    >
      <p>{say('totp.removeWhy')}</p>
      <OwnPasswordField asked={asksPassword} />
    </ConfirmAction>
  )
  return (
    <>
      {confirmed.result && (
        <RecoveryCodesOnce codes={confirmed.result.recoveryCodes} serviceName={serviceName} />
      )}
      <MethodRow
        icon={Smartphone}
        title={say('totp.title')}
        description={say('totp.why')}
        status={
          active
            ? { tone: 'good', text: say('totp.on') }
            : { tone: 'off', text: waiting ? say('totp.unfinished') : say('totp.off') }
        }
        action={active ? undefined : say('totp.unfold')}
        open={waiting !== undefined || reasonIn(begun) !== undefined}
        aside={removal}
      >
        {waiting ? (
          <>
            <TotpSetup waiting={waiting} state={confirmed} action={confirm} />
            <ActionButton
              action={actions.cancel}
              done={say('totp.cancelled')}
              look={{ variant: 'quiet', size: 'small' }}
            >
              {say('shared.cancel')}
            </ActionButton>
          </>
        ) : (
          <form action={begin} className="grid justify-items-start gap-4">
            <FormOutcome state={begun} />
            <p className="text-muted text-sm">{say('totp.apps')}</p>
            <OwnPasswordField asked={asksPassword} error={begun.fields.password} />
            <SubmitButton>{say('totp.begin')}</SubmitButton>
          </form>
        )}
      </MethodRow>
    </>
  )
}

/** A secret for an authenticator app: as text, and as a QR code (a data: URL). */
export type WaitingTotp = { secret: string; qrCode: string }

/** Shows a new secret as a QR code and as text, with a form for the first code. */
function TotpSetup({
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
      {/* biome-ignore lint/performance/noImgElement: a data: URL has nothing to optimize */}
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
