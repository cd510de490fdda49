'use client'
import { Ticket } from 'lucide-react'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { MethodRow } from '../account/method-row'
import { FormOutcome } from '../forms/form-outcome'
import { reasonIn } from '../forms/use-told-action'
import { SubmitButton } from '../ui/submit-button'
import { useSay } from '../ui/use-say'
import { OwnPasswordField } from './own-password-field'
import { RecoveryCodesOnce } from './recovery-codes-once'

/** How many recovery codes are left, and making new ones. */
export function RecoveryCodesSection({
  left,
  asksPassword,
  serviceName,
  action,
}: {
  left: number
  asksPassword: boolean
  serviceName: string
  action: FormAction<{ recoveryCodes: string[] }>
}) {
  const say = useSay()
  const [state, submit] = useActionState(action, untouched)
  return (
    <>
      {state.result && (
        <RecoveryCodesOnce key={state.turn} codes={state.result.recoveryCodes} serviceName={serviceName} />
      )}
      <MethodRow
        icon={Ticket}
        title={say('codes.title')}
        description={say('codes.each')}
        status={{ tone: left > 3 ? 'good' : 'warning', text: say('codes.left', { count: left }) }}
        action={say('codes.unfold')}
        open={reasonIn(state) !== undefined}
      >
        <form action={submit} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          <p className="text-muted text-sm">{say('codes.stop')}</p>
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton>{say('codes.make')}</SubmitButton>
        </form>
      </MethodRow>
    </>
  )
}
