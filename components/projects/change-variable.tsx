'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Button } from '../ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '../ui/dialog'
import { TextAreaField } from '../ui/field'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** Sets a variable anew in a dialog. Give it a key that changes with the variable, so that it closes once that is done. */
export function ChangeVariable({
  fields,
  action,
}: {
  /** Hidden inputs that tell the action which variable is meant. */
  fields: { environmentId: string; name: string }
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
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
