'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { FormOutcome } from '../forms/form-outcome'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
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
      triggerLabel="Remove authenticator app"
      title="Remove the authenticator app?"
      confirmLabel="Remove authenticator app"
      done="Authenticator app removed"
      action={actions.remove}
    >
      <p>Signing in no longer asks for its code. Without a passkey, your recovery codes go as well.</p>
      <OwnPasswordField asked={asksPassword} />
    </ConfirmAction>
  )
  return (
    <>
      {confirmed.result && (
        <RecoveryCodesOnce codes={confirmed.result.recoveryCodes} serviceName={serviceName} />
      )}
      <Section
        title="Authenticator app"
        description="An app on your phone shows a code that changes every 30 seconds. Signing in with your password asks for it."
        action={active ? removal : undefined}
      >
        {active ? (
          <p>
            <Badge tone="success">On</Badge>
          </p>
        ) : waiting ? (
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
            <OwnPasswordField asked={asksPassword} error={begun.fields.password} />
            <SubmitButton variant="secondary">Set up authenticator app</SubmitButton>
          </form>
        )}
      </Section>
    </>
  )
}
