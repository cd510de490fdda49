'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { TextAreaField, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** Adds a variable to an environment; one of the same name is replaced. */
export function AddVariableForm({
  environment,
  action,
}: {
  environment: { id: string; name: string }
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form
      action={submit}
      aria-label={`Add a variable to ${environment.name}`}
      className="grid gap-3 border-t bg-raised px-4 py-4"
    >
      <input type="hidden" name="environmentId" value={environment.id} />
      <FormOutcome state={state} saved="Variable saved" />
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={128}
          pattern="[A-Za-z_][A-Za-z0-9_]*"
          title="Letters, digits and underscores, with no digit in front"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="DATABASE_URL"
          defaultValue={state.values.name}
          error={state.fields.name}
        />
        <TextAreaField
          label="Value"
          name="value"
          mono
          rows={1}
          autoComplete="off"
          spellCheck={false}
          defaultValue={state.values.value}
          error={state.fields.value}
        />
        <SubmitButton variant="secondary" className="justify-self-end sm:mt-[26px]">
          Add variable
        </SubmitButton>
      </div>
    </form>
  )
}
