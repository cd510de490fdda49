'use client'
import { startTransition, useEffect, useId, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn, useToldAction } from '../forms/action-button'
import { FieldError } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { RoleSelect } from './role-select'

/**
 * Edits a user's role. A change takes effect immediately and can be undone; without a script, there is a button. If the
 * role cannot be changed (the last admin), the reason is shown below.
 */
export function RoleForm({
  name,
  role,
  fields,
  action,
}: {
  /** The name of the user. */
  name: string
  role: string
  /** Hidden inputs that identify the user and the resource. */
  fields: Record<string, string>
  action: FormAction
}) {
  const select = useRef<HTMLSelectElement>(null)
  const chosen = useRef({ from: role, to: role })
  // React resets a form after it submits it, to the role of the first render. Only a new select, without the focus, could
  // show another role, so the form does not submit itself.
  const give = (to: string) => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ ...fields, role: to })) form.set(key, value)
    startTransition(() => submit(form))
  }
  const undo = () => {
    const { from, to } = chosen.current
    chosen.current = { from: to, to: from }
    give(from)
  }
  const [state, submit] = useToldAction(action, { done: `Role of ${name} changed`, undo })
  // A choice made before hydration, or one that was rejected, changed nothing and must be reset.
  useEffect(() => {
    if (select.current) select.current.value = role
  }, [role])
  useEffect(() => {
    if (select.current && reasonIn(state)) select.current.value = role
  }, [role, state])
  const errorId = useId()
  const refused = reasonIn(state)
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
          chosen.current = { from: role, to: currentTarget.value }
          give(currentTarget.value)
        }}
      />
      <noscript>
        <SubmitButton variant="secondary" size="small">
          Save <span className="sr-only">role of {name}</span>
        </SubmitButton>
      </noscript>
      {refused && (
        <div role="alert" className="whitespace-normal">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
    </form>
  )
}
