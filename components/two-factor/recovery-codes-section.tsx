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
        description="Each works once, when you have nothing else."
        status={{ tone: left > 3 ? 'good' : 'warning', text: `${left} of 10 left` }}
        action="Get new codes"
        open={reasonIn(state) !== undefined}
      >
        <form action={submit} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          <p className="text-muted text-sm">The codes you have now stop working.</p>
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton>Make new codes</SubmitButton>
        </form>
      </MethodRow>
    </>
  )
}
