'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { SubmitButton } from '../ui/submit-button'
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
  const [state, submit] = useActionState(action, untouched)
  return (
    <>
      {state.result && (
        <RecoveryCodesOnce key={state.turn} codes={state.result.recoveryCodes} serviceName={serviceName} />
      )}
      <Section
        title="Recovery codes"
        description={`${left} of 10 left. Each signs you in once when your phone or passkey is lost.`}
      >
        <form action={submit} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          <OwnPasswordField asked={asksPassword} error={state.fields.password} />
          <SubmitButton variant="secondary">Make new codes</SubmitButton>
        </form>
      </Section>
    </>
  )
}
