'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { cn } from '../ui/cn'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/** Creates a password reset link that the instance admin gives to the user, and shows it once. */
export function ResetLink({ action, id }: { action: FormAction<{ link: string }>; id: string }) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit} className={cn('grid justify-items-start gap-4', state.turn > 0 && 'w-full')}>
      <input type="hidden" name="id" value={id} />
      <FormOutcome state={state} />
      {state.result && (
        <div className="w-full">
          <ValueField
            label="Reset link"
            value={state.result.link}
            hint="Works once, for one hour. Send it privately; you won’t see it again."
          />
        </div>
      )}
      <SubmitButton variant="secondary">Create reset link</SubmitButton>
    </form>
  )
}
