'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { SubmitButton } from '../ui/submit-button'

/** A form to accept an invitation as the signed-in user. */
export function AcceptForm({ token, label, action }: { token: string; label: string; action: FormAction }) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <FormOutcome state={state} />
      <SubmitButton size="large" wide>
        {label}
      </SubmitButton>
    </form>
  )
}
