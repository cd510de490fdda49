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
import { useSay } from '../ui/use-say'
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
  const say = useSay()
  const [begun, begin] = useActionState(actions.begin, untouched)
  const [confirmed, confirm] = useActionState(actions.confirm, untouched)
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
