'use client'
import { startTransition, useEffect, useId, useRef, useState } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn, useAnnouncedAction } from '../forms/action-button'
import { Button } from '../ui/button'
import { DialogBox } from '../ui/confirm-dialog'
import { FieldError } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { RoleSelect } from './role-select'

/**
 * A form to change a user's role. A change takes effect immediately and can be undone. The admin role
 * requires confirmation, because an arrow key on the select must not make someone an admin. Without
 * JavaScript, a button submits the form. An error is shown below the select.
 */
export function RoleForm({
  name,
  role,
  adminHint,
  fields,
  action,
}: {
  /** The name of the user. */
  name: string
  role: string
  /** A sentence that describes what admins can do. */
  adminHint: string
  /** Hidden inputs that identify the user and the resource. */
  fields: Record<string, string>
  action: FormAction
}) {
  const select = useRef<HTMLSelectElement>(null)
  const chosen = useRef({ from: role, to: role })
  const [asking, setAsking] = useState(false)
  // Call the action directly instead of submitting the form. After a submission, React would reset the select
  // to the role of the first render. To show another role, React would have to replace the select, which
  // would lose the focus.
  const give = (to: string) => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ ...fields, role: to })) form.set(key, value)
    startTransition(() => submit(form))
  }
  const choose = (to: string) => {
    chosen.current = { from: role, to }
    give(to)
  }
  const undo = () => {
    const { from, to } = chosen.current
    chosen.current = { from: to, to: from }
    give(from)
  }
  const [state, submit] = useAnnouncedAction(action, { done: `Role of ${name} changed`, undo })
  // Show the current role again if the user's choice had no effect: the user made it before hydration, or the
  // server rejected it.
  useEffect(() => {
    if (select.current) select.current.value = role
  }, [role])
  useEffect(() => {
    if (select.current && reasonIn(state)) select.current.value = role
  }, [role, state])
  const errorId = useId()
  const refused = reasonIn(state)
  const reset = () => {
    if (select.current) select.current.value = role
  }
  return (
    <form action={submit} className="grid w-36 gap-1.5 max-sm:w-full">
      <HiddenFields fields={fields} />
      <RoleSelect
        ref={select}
        aria-label={`Role of ${name}`}
        aria-invalid={refused ? true : undefined}
        aria-describedby={refused ? errorId : undefined}
        defaultValue={role}
        onChange={({ currentTarget }) => {
          if (currentTarget.value === 'ADMIN') setAsking(true)
          else choose(currentTarget.value)
        }}
      />
      <noscript>
        <SubmitButton variant="secondary" size="small">
          Save <span className="sr-only">role of {name}</span>
        </SubmitButton>
      </noscript>
      {asking && (
        <AdminQuestion
          name={name}
          hint={adminHint}
          onAnswer={(confirmed) => {
            setAsking(false)
            if (confirmed) choose('ADMIN')
            else reset()
          }}
        />
      )}
      {refused && (
        <div role="alert" className="whitespace-normal">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
    </form>
  )
}

/**
 * A dialog that asks whether to make a user an admin. `onAnswer` is called once, when the dialog closes. Its
 * argument is false if the user cancels or presses Escape.
 */
function AdminQuestion({
  name,
  hint,
  onAnswer,
}: {
  name: string
  hint: string
  onAnswer: (confirmed: boolean) => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const hintId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <DialogBox
      dialog={dialog}
      title={`Make ${name} an admin?`}
      describedBy={hintId}
      onClose={() => onAnswer(dialog.current?.returnValue === 'confirmed')}
    >
      <p id={hintId} className="text-muted">
        {hint}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button variant="primary" onClick={() => dialog.current?.close('confirmed')}>
          Make admin
        </Button>
      </div>
    </DialogBox>
  )
}
