'use client'
import { Eye, EyeOff } from 'lucide-react'
import { useActionState, useState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** A variable's value behind dots, fetched when it is asked for and forgotten when it is hidden again. */
export function VariableValue({
  fields,
  action,
}: {
  /** Hidden inputs that tell the action which variable is meant. */
  fields: { environmentId: string; name: string }
  action: FormAction<{ value: string }>
}) {
  const [state, submit] = useActionState(action, untouched)
  const [hiddenTurn, setHiddenTurn] = useState(0)
  const { name } = fields
  if (state.result && hiddenTurn !== state.turn) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <output
          aria-label={`Value of ${name}`}
          className="block max-h-40 max-w-[48ch] overflow-y-auto whitespace-pre-wrap break-all font-mono text-[13px]"
        >
          {state.result.value || <span className="text-muted">Empty</span>}
        </output>
        <span className="flex gap-1">
          <CopyButton value={state.result.value} of={name} variant="quiet" />
          <Button
            size="small"
            variant="quiet"
            className="needs-script"
            aria-label={`Hide ${name}`}
            onClick={() => setHiddenTurn(state.turn)}
          >
            <EyeOff aria-hidden /> Hide
          </Button>
        </span>
      </div>
    )
  }
  return (
    <form action={submit} className="flex items-center gap-2">
      <HiddenFields fields={fields} />
      <span aria-hidden className="select-none text-muted tracking-widest">
        ••••••••
      </span>
      <SubmitButton size="small" variant="quiet" aria-label={`Reveal ${name}`}>
        <Eye aria-hidden /> Reveal
      </SubmitButton>
      {state.message && (
        <span role="alert" className="text-[13px] text-danger">
          {state.message}
        </span>
      )}
    </form>
  )
}
