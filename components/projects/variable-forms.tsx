'use client'

import { useState } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '../ui/dialog'
import { TextAreaField, TextField } from '../ui/field'
import { Eye, EyeOff } from '../ui/icon'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'

/** A form to add a variable to an environment, or to replace a variable with the same name. */
export function AddVariableForm({
  environment,
  action,
}: {
  environment: { id: string; name: string }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
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
          title="Letters, digits, and underscores. Can’t start with a digit."
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

/**
 * A button that opens a dialog to replace the value of a variable. The component's `key` must change when the
 * variable changes, so that the dialog closes on success.
 */
export function ChangeVariable({
  fields,
  action,
}: {
  /** Hidden inputs that identify the variable. */
  fields: { environmentId: string; name: string }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button size="small" className="needs-script" aria-label={`Change ${fields.name}`}>
          Change
        </Button>
      </DialogTrigger>
      <DialogContent
        title={`Change ${fields.name}`}
        description="Replaces the old value, which can’t be recovered."
      >
        <form action={submit} className="grid gap-4">
          <HiddenFields fields={fields} />
          <FormOutcome state={state} />
          <TextAreaField
            label="New value"
            name="value"
            mono
            rows={4}
            autoComplete="off"
            spellCheck={false}
            defaultValue={state.values.value}
            error={state.fields.value}
          />
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <SubmitButton>Save value</SubmitButton>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}

/**
 * Shows dots in place of a variable's value. The value is fetched from the server when the user reveals it.
 * Users can hide a revealed value again.
 */
export function VariableValue({
  fields,
  action,
}: {
  /** Hidden inputs that identify the variable. */
  fields: { environmentId: string; name: string }
  action: FormAction<{ value: string }>
}) {
  const [state, submit] = useFormAction(action)
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
            <EyeOff /> Hide
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
        <Eye /> Reveal
      </SubmitButton>
      {state.message && (
        <span role="alert" className="text-[13px] text-danger">
          {state.message}
        </span>
      )}
    </form>
  )
}
