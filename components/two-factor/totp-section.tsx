'use client'
import { Smartphone } from 'lucide-react'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { FormOutcome } from '../forms/form-outcome'
import { reasonIn } from '../forms/use-told-action'
import { SubmitButton } from '../ui/submit-button'
import { OwnPasswordField } from './own-password-field'
import { RecoveryCodesOnce } from './recovery-codes-once'
import { TotpSetup, type WaitingTotp } from './totp-setup'

type Actions = {
  begin: FormAction
  cancel: FormAction
  confirm: FormAction<{ recoveryCodes: string[] }>
  remove: FormAction
}

/**
 * The authenticator app: set it up, confirm it by a first code, remove it. One component through all of that, so that the
 * recovery codes of the first confirmation stay in sight.
 */
export function TotpSection({
  active,
  waiting,
  asksPassword,
  serviceName,
  actions,
}: {
  active: boolean
  /** The secret that waits for its first code. */
  waiting: WaitingTotp | undefined
  asksPassword: boolean
  serviceName: string
  actions: Actions
}) {
  const [begun, begin] = useActionState(actions.begin, untouched)
  const [confirmed, confirm] = useActionState(actions.confirm, untouched)
  const removal = (
    <ConfirmAction
      trigger="Remove"
      triggerLook={{ size: 'small' }}
      triggerLabel="Remove authenticator app"
      title="Remove the authenticator app?"
      confirmLabel="Remove authenticator app"
      done="Authenticator app removed"
      action={actions.remove}
    >
      <p>
        You’ll sign in with your password alone. Your recovery codes are deleted too, unless you have a
        passkey.
      </p>
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
        title="Authenticator app"
        description="A 6-digit code from an app on your phone, asked for after your password."
        status={
          active ? { tone: 'good', text: 'On' } : { tone: 'off', text: waiting ? 'Not finished' : 'Off' }
        }
        action={active ? undefined : 'Set up'}
        open={waiting !== undefined || reasonIn(begun) !== undefined}
        aside={removal}
      >
        {waiting ? (
          <>
            <TotpSetup waiting={waiting} state={confirmed} action={confirm} />
            <ActionButton
              action={actions.cancel}
              done="Setup cancelled"
              look={{ variant: 'quiet', size: 'small' }}
            >
              Cancel
            </ActionButton>
          </>
        ) : (
          <form action={begin} className="grid justify-items-start gap-4">
            <FormOutcome state={begun} />
            <p className="text-muted text-sm">
              You’ll need an app such as Aegis, 1Password or Google Authenticator.
            </p>
            <OwnPasswordField asked={asksPassword} error={begun.fields.password} />
            <SubmitButton>Set up authenticator app</SubmitButton>
          </form>
        )}
      </MethodRow>
    </>
  )
}
